import { type Model, unreachable } from '@nervix/model';
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

/** Canonical CREATE statement of a model, as SHOW CREATE prints it. */
export function printModel(model: Model): string {
  return printCreate(model, 'CREATE');
}

/** As {@link printModel}, after the given words. */
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
