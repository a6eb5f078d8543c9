! flang loads the plugin; a request is a call to a procedure of the right name.
! RUN: %flang -O2 -fpass-plugin=%plugin %s -o %t
! RUN: %t | FileCheck %s
! CHECK: 3. 12. 27.
module cubes
  use iso_c_binding
contains
  function sum_of_cubes(x, n) bind(C) result(s)
    integer(c_int), value :: n
    real(c_double) :: x(n), s
    integer :: i
    s = 0
    do i = 1, n
      s = s + x(i)**3
    end do
  end function
end module

program first
  use cubes
  interface
    subroutine gradient(f, x, dx, n) bind(C, name="__pardiff_autodiff_cubes")
      import
      interface
        function f(x, n) bind(C) result(s)
          import
          integer(c_int), value :: n
          real(c_double) :: x(n), s
        end function
      end interface
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: n
    end subroutine
  end interface
  real(c_double) :: x(3) = [1, 2, 3], dx(3) = 0
  call gradient(sum_of_cubes, x, dx, 3)
  print '(f4.0, f4.0, f4.0)', dx
end program
