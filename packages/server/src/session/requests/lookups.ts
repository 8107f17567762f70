import type { Completion } from '@nervix/nspl-parser';
import type {
  DomainListReply,
  DomainSelectionOutcome,
  ReplyBody,
  SelectDomainRequest,
  Suggestion,
  SuggestRequest,
} from '@nervix/protocol/session';
import { domainFrame } from '../frames/domain-frame.js';
import { rejected } from './rejection.js';
import type { RequestContext } from './request-context.js';

export function serveListDomains({ controlPlane }: RequestContext): DomainListReply {
  return { t: 'DomainList', domains: controlPlane.domains().map(domainFrame) };
}

export function serveSelectDomain(
  { domain }: SelectDomainRequest,
  { controlPlane }: RequestContext,
): DomainSelectionOutcome {
  const found = controlPlane.domain(domain.toLowerCase());
  return {
    t: 'DomainSelectionOutcome',
    disposition:
      found.kind === 'found'
        ? { t: 'DomainSelected', domain: domainFrame(found.value) }
        : { t: 'DomainNotFound', message: found.error.message },
  };
}

/** Offers how a text may go on, a page at a time. */
export function serveSuggest(
  request: SuggestRequest,
  { controlPlane, view }: RequestContext,
): ReplyBody {
  const { input, cursor, domain, page_size, continuation = '0' } = request;
  if (!isBoundary(input, cursor)) {
    const message = "field 'cursor' is not on a character boundary of the input";
    return rejected('InvalidRequest', message, 'cursor');
  }
  if (!/^\d{1,9}$/.test(continuation)) {
    const message = "field 'continuation' is none that was given out";
    return rejected('InvalidRequest', message, 'continuation');
  }
  const { attached, holder } = view;
  const selected = domain?.toLowerCase() ?? null;
  const reply = controlPlane.suggest({ input, cursor, domain: selected, holder, attached });
  if (reply.kind === 'stale') {
    return { t: 'SuggestOutcome', status: 'StaleContext', suggestions: [] };
  }
  const all = suggestionsOf(reply.completion);
  const start = Number(continuation);
  const end = start + page_size;
  return {
    t: 'SuggestOutcome',
    status: 'Ready',
    suggestions: all.slice(start, end),
    ...(end < all.length ? { continuation: String(end) } : {}),
  };
}

function suggestionsOf({ items, replace, localPath }: Completion): readonly Suggestion[] {
  const { start, end } = replace;
  const texts = items.map(({ label, insertText: replacement }): Suggestion => {
    return { value: label, kind: 'Text', edit: { start, end, replacement } };
  });
  if (localPath === undefined) return texts;
  const { typed } = localPath;
  const edit = { ...localPath.replace, replacement: typed };
  return [...texts, { value: typed, kind: 'LocalPath', edit }];
}

function isBoundary(input: string, cursor: number): boolean {
  const bytes = Buffer.from(input);
  const next = bytes[cursor];
  return cursor <= bytes.length && (next === undefined || (next & 0xc0) !== 0x80);
}
