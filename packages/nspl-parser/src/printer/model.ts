import { type Model, redactSecrets, unreachable } from '@nervix/model';
import { printBranch } from './models/branch.js';
import { printClient } from './models/client.js';
import { printCodec } from './models/codec.js';
import { printCorrelator } from './models/correlator.js';
import { printEmitter } from './models/emitter.js';
import { printEndpoint } from './models/endpoint.js';
import { printGenerator } from './models/generator.js';
import { printHashMap } from './models/hash-map.js';
import { printIngestor } from './models/ingestor.js';
import { printPlacement } from './models/placement.js';
import { printProcessor } from './models/processor.js';
import { printReingestor } from './models/reingestor.js';
import { printRelay } from './models/relay.js';
import { printSchema } from './models/schema.js';
import { printSignalingProtocol } from './models/signaling-protocol.js';
import { printUdf } from './models/udf.js';
import { printVhost } from './models/vhost.js';
import { printWireSchema } from './models/wire-schema.js';

/** How something is printed. */
export interface PrintOptions {
  /**
   * Whether the literal secrets of clients and the passwords of users are printed, which give way
   * to `<redacted>` otherwise. Who wants the text to be executed asks for them. Default: false.
   */
  readonly withSecrets?: boolean;
}

/**
 * Canonical CREATE statement of a model, as SHOW CREATE prints it.
 *
 * @throws UnprintableError for a model that cannot be written
 */
export function printModel(model: Model, options: PrintOptions = {}): string {
  return printCreate(options.withSecrets === true ? model : redactSecrets(model), 'CREATE');
}

/** Canonical CREATE statement of a model with all it holds, after the given words. */
export function printCreate(model: Model, create: string): string {
  switch (model.kind) {
    case 'schema':
      return printSchema(model, create);
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
      return printWireSchema(model, create);
    case 'codec':
      return printCodec(model, create);
    case 'branch':
      return printBranch(model, create);
    case 'relay':
      return printRelay(model, create);
    case 'vhost':
      return printVhost(model, create);
    case 'endpoint':
      return printEndpoint(model, create);
    case 'signaling_protocol':
      return printSignalingProtocol(model, create);
    case 'hash_map':
      return printHashMap(model, create);
    case 'udf':
      return printUdf(model, create);
    case 'placement':
      return printPlacement(model, create);
    case 'client':
      return printClient(model, create);
    case 'ingestor':
      return printIngestor(model, create);
    case 'reingestor':
      return printReingestor(model, create);
    case 'generator':
      return printGenerator(model, create);
    case 'correlator':
      return printCorrelator(model, create);
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'window_processor':
    case 'inferencer':
    case 'wasm_processor':
      return printProcessor(model, create);
    case 'emitter':
      return printEmitter(model, create);
    default:
      return unreachable(model);
  }
}
