// Prints the snapshot of a generated domain as JSON, for a process that has never seen it.
// Argument: entities.
import { generatedShop } from './generated-shop.mjs';

process.stdout.write(JSON.stringify(generatedShop(Number(process.argv[2]))));
