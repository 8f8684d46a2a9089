# own_modules: a source that defines a module and uses it is compiled with that module, and not with the file of an
# earlier build, wherever that stands; messages, module files and programs are those of the plain compiler
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

cat >old.f90 <<'END'
module counts
  integer :: n = 1
end module
END
cat >new.f90 <<'END'
module counts
  implicit none
  interface
    module integer function twice(k)
      integer, intent(in) :: k
    end function
  end interface
contains
  integer function total(k)
    integer, intent(in) :: k
    integer :: i, unused
    total = 0
    !$omp parallel do reduction(+ : total)
    do i = 1, k
      total = total + i
    end do
  end function
end module
submodule (counts) parts
contains
  module procedure twice
    twice = 2 * k
  end procedure
end submodule
Program p
  Use, NON_INTRINSIC :: Counts, only: total, twice
  implicit none
  print *, total(100) + twice(3)
end program
END
cat >fixed.f <<'END'
      module counts
      contains
      integer function total(k)
      integer k
      total = 0
!$omp parallel reduction(+ : total)
      total = total + k
!$omp end parallel
      end function
      end module
      program p
      use
     & counts
      print *, total(0)
      end
END

export LC_ALL=C
# what compiles for messages comes first: processors seem idle, so that it runs beside the other, which begins later
cat >idle.c <<'END'
int getloadavg(double *load, int n);
int getloadavg(double *load, int n)
{
	for (int i = 0; i < n; i++)
		load[i] = 0;
	return n;
}
END
gcc -shared -fPIC idle.c -o idle.so
mkdir slow
cat >slow/gfortran <<END
#!/bin/sh
case "\$*" in *judged.s*) ;; *) sleep 0.2 ;; esac
exec $(command -v gfortran) "\$@"
END
chmod +x slow/gfortran

mkdir old
gfortran -J old -c old.f90 -o old.o && [ -f old/counts.mod ] || fail "no module file"
for source in new.f90 fixed.f; do
	# gfortran itself reads an old file in a folder that it looks into before the one that it writes to
	for options in '' -Ii -Jm '-J m -I i' '-O2 -Ii -Jm'; do
		places='. i ..'
		case $options in *-J*) places=m ;; esac
		for way in '' --access; do
			for by in gfortran kinst; do
				rm -rf folder counts.*
				mkdir -p folder/m folder/i
				for place in $places; do
					cp old/counts.mod folder/$place/
					cp old/counts.mod folder/$place/counts.smod
				done
				command=gfortran
				[ $by = gfortran ] || command="env LD_PRELOAD=$PWD/idle.so $kinst $way $PWD/slow/gfortran"
				(cd folder && $command -Wall -fopenmp $options ../$source -o program && ./program) >said.$by 2>&1 ||
					fail "$source, $options, $by $way: $(cat said.$by)"
				for file in folder/*mod folder/[im]/*; do
					cmp -s "$file" old/counts.mod && echo "$file is old" || echo "$file"
				done >modules.$by
			done
			cmp said.gfortran said.kinst || { diff said.gfortran said.kinst; fail "$source, $options $way: messages differ"; }
			cmp modules.gfortran modules.kinst || fail "$source, $options $way: module files differ"
		done
	done
done
clean
