# opari
