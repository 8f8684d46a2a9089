"""Tables of a report in CSV."""
import csv


def rows(report, name):
    """Yields each row, by its columns, of the tables whose names begin so."""
    columns = None
    for row in csv.reader(open(report)):
        if row and row[0].startswith("##"):
            columns = [] if row[0].startswith("##BEG " + name) else None
        elif columns == []:
            columns = row
        elif columns and len(row) == len(columns):
            yield dict(zip(columns, row))
