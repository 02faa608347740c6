show() { echo "-- show $*"; weir show "$@"; echo "status $?"; }
# What fio 2.1 and 3 said of the same I/O: us and KiB, ns and bytes.
cat >old.json <<'END'
words of {somebody}
{ "fio version" : "fio-2.1.3", "jobs" : [ { "jobname" : "a", "groupid" : 0, "error" : 0,
  "read" : { "io_bytes" : 4000, "bw" : 2000, "iops" : 500, "runtime" : 2000,
    "clat" : { "min" : 13, "max" : 81, "mean" : 23.50, "stddev" : 6.46,
      "percentile" : { "50.000000" : 22, "99.000000" : 38, "0.00" : 0 } },
    "lat" : { "min" : 13, "max" : 82, "mean" : 23.53, "stddev" : 6.46 } } } ] }
END
cat >new.json <<'END'
{ "fio version" : "fio-3.33", "jobs" : [ { "jobname" : "a", "groupid" : 0, "error" : 0,
  "job options" : { "rw" : "randread", "bs" : "4k", "iodepth" : "8" }, "latency_depth" : 8,
  "read" : { "io_bytes" : 4096000, "io_kbytes" : 4000, "bw" : 2000, "iops" : 500.000000, "runtime" : 2000, "total_ios" : 1000,
    "clat_ns" : { "min" : 13000, "max" : 81000, "mean" : 23500.0, "stddev" : 6460.0, "N" : 1000,
      "percentile" : { "50.000000" : 22000, "99.000000" : 38000 } } } } ] }
END
show old.json new.json
show --summary old.json
show - --output-format=markdown <new.json
cat old.json new.json | weir show - --summary --units=ms,KiB
show --output-format=json old.json
show --output-format=normal old.json
echo '3;fio-3.33;t;0;0;4000;2000;500' >cut.terse
show cut.terse
show --output-format=cvs old.json
show --terse-version=6 old.json
show --units=miles old.json
show --color old.json
show nosuch new.json --summary
echo '{"jobs":3}' >bad.json
show bad.json
show .
