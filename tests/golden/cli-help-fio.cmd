ln -s "$(command -v weir)" fio
./fio --help | sed -n 1,4p
./fio --help extra words >/dev/null; echo "status $?"
