dnl FZ_OPTIONAL(NAME, PKG-CONFIG MODULES, WHAT IT IS FOR)
dnl --with-NAME: yes, no, or (unsaid) if found. Sets have_NAME, HAVE_NAME in config.h, NAME_CFLAGS,
dnl NAME_LIBS and the automake conditional HAVE_NAME (all in capitals).
AC_DEFUN([FZ_OPTIONAL], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1], [$3 (default: if found)])], [], [with_$1=check])
  have_$1=no
  AS_IF([test "x$with_$1" != xno],
    [PKG_CHECK_MODULES(m4_toupper([$1]), [$2], [have_$1=yes],
      [AS_IF([test "x$with_$1" = xyes],
        [AC_MSG_ERROR([--with-$1 was given, but $2 was not found])])])])
  AS_IF([test "x$have_$1" = xyes],
    [AC_DEFINE([HAVE_]m4_toupper([$1]), [1], [Define to 1 if $1 is to be used: $3.])])
  AM_CONDITIONAL([HAVE_]m4_toupper([$1]), [test "x$have_$1" = xyes])
])

dnl FZ_ON_DEMAND(NAME): the library of FZ_OPTIONAL is not linked but loaded when it is needed, under
dnl the name that libNAME.so has in it (NAME_SONAME in config.h). --disable-on-demand, or a linker
dnl whose libraries have no such name: it is linked.
AC_DEFUN([FZ_ON_DEMAND], [
  AC_REQUIRE([FZ_ON_DEMAND_SWITCH])
  AC_MSG_CHECKING([under which name $1 is loaded])
  fz_soname=
  AS_IF([test "x$enable_on_demand$have_$1" = xyesyes],
    [fz_file=`$CC -print-file-name=lib$1.so`
     fz_soname=`$OBJDUMP -p "$fz_file" 2>/dev/null | sed -n 's/^ *SONAME *//p'`])
  AC_MSG_RESULT([${fz_soname:-it is linked}])
  AS_IF([test -n "$fz_soname"],
    [AC_DEFINE_UNQUOTED(m4_toupper([$1])_SONAME, ["$fz_soname"], [The name of $1 for dlopen.])
     m4_toupper([$1])_LIBS=])
])
AC_DEFUN([FZ_ON_DEMAND_SWITCH], [
  AC_ARG_ENABLE([on-demand],
    [AS_HELP_STRING([--disable-on-demand], [link cairo and libmicrohttpd instead of loading them when they are needed])],
    [], [enable_on_demand=yes])
])

dnl FZ_SWITCH(NAME, WHAT IT DOES): --enable-NAME, off unless said; sets enable_NAME to yes or no.
AC_DEFUN([FZ_SWITCH], [
  AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [$2])], [], [enable_$1=no])
])

dnl FZ_FLAGS(VARIABLE, FLAGS): adds to the variable those of the flags that the compiler takes.
AC_DEFUN([FZ_FLAGS], [
for fz_flag in $2; do
  fz_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $fz_flag"
  AC_MSG_CHECKING([whether $CC takes $fz_flag])
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); $1="$$1 $fz_flag"],
    [AC_MSG_RESULT([no])])
  CFLAGS=$fz_saved_CFLAGS
done
])
