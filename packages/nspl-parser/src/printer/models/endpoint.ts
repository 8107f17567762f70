import type { EndpointModel } from '@nervix/model';
import { stringLiteral } from '../lexical.js';

export function printEndpoint(model: EndpointModel, create: string): string {
  const { name, vhost, path, type, signaling } = model;
  const protocol = signaling === null ? '' : ` WITH SIGNALING PROTOCOL ${signaling}`;
  const place = `ON ${vhost} PATH ${stringLiteral(path)}`;
  return `${create} ENDPOINT ${name} ${place} TYPE ${type}${protocol};`;
}
