process.stderr.write('nervixd: not built yet\n');
process.exitCode = 69;
