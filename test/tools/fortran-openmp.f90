! OpenMP in Fortran: the derivative of parallel loops, on one thread.
! RUN: %flang -O1 -fopenmp -fpass-plugin=%plugin %s -o %t && %t | FileCheck %s
! CHECK: 18. 14. 30.
module parallel_cubes
  use iso_c_binding
contains
  function sum_of_cubes(x, n) bind(C) result(s)
    integer(c_int), value :: n
    real(c_double) :: x(n), y(n), s
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = x(i)**2
    end do
    !$omp end parallel do
    s = 0
    !$omp parallel do reduction(+:s) schedule(dynamic)
    do i = 1, n
      s = s + x(i) * y(i) + y(i) * 0.5 * y(1)
    end do
    !$omp end parallel do
  end function
end module

program first
  use parallel_cubes
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
