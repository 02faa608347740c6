weir --help
weir help run
weir help nosuchthing
