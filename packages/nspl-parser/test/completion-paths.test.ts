import { describe, expect, test } from 'vitest';
import { completion } from './support/completing.ts';

/** The part of a text that a path would replace, with what is typed and what opens it. */
function path(marked: string): readonly [string, string, string | null] | undefined {
  const { localPath } = completion(marked);
  if (localPath === undefined) return undefined;
  const { start, end } = localPath.replace;
  const part = Buffer.from(marked.replace('|', '')).subarray(start, end).toString();
  return [part, localPath.typed, localPath.quote];
}

describe('NSPL 11 step 6, CL-78: paths of the local file system', () => {
  const upload = 'UPLOAD RESOURCE r VERSION';

  test.each<[string, readonly [string, string, string | null]]>([
    [`${upload} '|`, ['', '', "'"]],
    [`${upload} '/tmp/fi|`, ['/tmp/fi', '/tmp/fi', "'"]],
    [`${upload} '/tmp/fi|le'`, ['/tmp/file', '/tmp/fi', "'"]],
    [`${upload} '/tmp/fi|le'; STOP;`, ['/tmp/file', '/tmp/fi', "'"]],
    [`${upload} '/tmp/fi|le\nSTOP;`, ['/tmp/file', '/tmp/fi', "'"]],
    [`${upload} '/tmp/fi|le\r\nSTOP;`, ['/tmp/file', '/tmp/fi', "'"]],
    [`${upload} "/tmp/it's |here"`, ["/tmp/it's here", "/tmp/it's ", '"']],
    [`${upload} $$/tmp/|a$$`, ['/tmp/a', '/tmp/', '$$']],
    [`${upload} $p$/tmp/|a$$p$`, ['/tmp/a$', '/tmp/', '$p$']],
    [`STOP; ${upload} '/tmp/é|💧'`, ['/tmp/é💧', '/tmp/é', "'"]],
    [`${upload} '|'`, ['', '', "'"]],
    [`${upload} |`, ['', '', null]],
    [`${upload} fi|le`, ['file', 'fi', null]],
    ["BACKUP CLUSTER TO '/b|'", ['/b', '/b', "'"]],
    ["BACKUP DOMAIN TO '/b|'", ['/b', '/b', "'"]],
    ["DESCRIBE BACKUP '/b|'", ['/b', '/b', "'"]],
    ["RESTORE CLUSTER FROM '/b|'", ['/b', '/b', "'"]],
    ["RESTORE DOMAIN d AS e FROM '/b|'", ['/b', '/b', "'"]],
  ])('%s', (marked, expected) => {
    expect(path(marked)).toEqual(expected);
  });

  test.each([
    "CREATE USER u WITH PASSWORD '/tmp/|'",
    "UPLOAD RESOURCE '/tmp/|'",
    `${upload} '/tmp/a' '/tmp/|'`,
    `${upload} \`/tmp/|`,
    `${upload} $p/tmp/|`,
    `@ ${upload} '/tmp/|'`,
    "// UPLOAD RESOURCE r VERSION '/tmp/|'",
    `${upload} '/tmp/a' |`,
  ])('no path at %s', (marked) => {
    expect(path(marked)).toBeUndefined();
  });

  test('a string offers nothing but the path', () => {
    expect(completion(`${upload} '/tmp/|'`)).toMatchObject({ items: [], placeholders: [] });
    expect(completion(`${upload} |`).placeholders).toEqual(['local_path']);
  });
});
