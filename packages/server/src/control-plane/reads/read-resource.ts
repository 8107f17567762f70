import type { DescribeResourceStatement } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import {
  describeResource,
  describeResourceVersion,
  type ResourceView,
} from '../../resources/describe-resource.js';
import { versionName } from '../../resources/resource-catalog.js';
import type { ControlContext } from '../control-context.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { lastOccurrence } from '../refusal-outcome.js';

/** `DESCRIBE RESOURCE`, with all versions or one. */
export async function readResource(
  context: ControlContext,
  domain: string,
  { name, version }: DescribeResourceStatement,
  parsed: ParsedStatement,
): Promise<Outcome> {
  const { state, resources, nodeId } = context;
  const view: ResourceView = {
    resources: state.resources,
    installed: resources.installed,
    nodeId,
    members: context.members(),
    models: state.models(domain).values(),
  };
  const text =
    version === null
      ? await describeResource(view, domain, name)
      : await describeResourceVersion(view, domain, name, Number(version));
  if (text !== undefined) return completed(text);
  const isDeclared = state.resources.resource(domain, name) !== undefined;
  const subject = isDeclared ? versionName({ resource: name, version: Number(version) }) : name;
  const message = `resource '${subject}' does not exist`;
  const span = lastOccurrence(parsed, name);
  return failed('NOT_FOUND', message, [{ message, ...(span === undefined ? {} : { span }) }]);
}
