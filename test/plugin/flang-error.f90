! flang drops what a plugin reports and exits with 0: the plugin says it itself and ends the compilation.
! RUN: not %flang -g -fpass-plugin=%plugin -c %s -o %t.o 2> %t.err
! RUN: FileCheck %s < %t.err
! RUN: test ! -e %t.o
! CHECK: flang-error.f90:{{[0-9]+}}:{{[0-9]+}}: error: argument 1 of 'square' is missing in the call [PD0001]
function square(x) bind(C)
  use iso_c_binding
  real(c_double), value :: x
  real(c_double) :: square
  square = x * x
end function
program main
  use iso_c_binding
  interface
    function square(x) bind(C)
      import
      real(c_double), value :: x
      real(c_double) :: square
    end function
    function gradient(f) bind(C, name="__pardiff_autodiff_none")
      import
      interface
        function f(x) bind(C)
          import
          real(c_double), value :: x
          real(c_double) :: f
        end function
      end interface
      real(c_double) :: gradient
    end function
  end interface
  print *, gradient(square)
end program
