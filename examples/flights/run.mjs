process.stdout.write('The flights example is not written yet.\n');
