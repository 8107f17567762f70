process.stderr.write('nervix: not built yet\n');
process.exitCode = 69;
