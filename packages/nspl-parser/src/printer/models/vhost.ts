import type { VhostModel } from '@nervix/model';
import { printBinding } from './binding.js';

export function printVhost(model: VhostModel, create: string): string {
  const tls = printBinding('WITH TLS', model.tls);
  return `${create} VHOST ${model.name} ${model.hostnames.join(', ')}${tls};`;
}
