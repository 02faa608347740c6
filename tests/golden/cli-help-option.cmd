weir help iodepth
weir help --eta-interval
weir --cmdhelp=loops
weir --cmdhelp=client
weir help delay_script
weir --compat=fio --cmdhelp=iodepht; echo "status $?"
weir --compat=fio --cmdhelp=qqqqqq; echo "status $?"
weir --cmdhelp=all | cmp - "$(weir --cmdhelp >all; echo all)" && echo same
weir help options | cmp - all && echo same
