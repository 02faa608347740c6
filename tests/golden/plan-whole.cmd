weir --plan --name=first --rw=randread --size=1m
