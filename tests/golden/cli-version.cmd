ln -s "$(command -v weir)" fio
./fio --version; echo "status $?"
./fio -v --bogus
weir --version | sed -n '1p; s/^\(built with\|engines\|kernel\|clock\) .*/\1 .../p'
weir version | head -1
weir --compat=fio --version
./fio --compat=none --version | head -1
weir --compat=dd --version; echo "status $?"
