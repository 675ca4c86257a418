import type { Finding } from './document-item.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';

const reasonsMax = 100;
const findingsMax = 20;

/**
 * Formats findings for a terminal: one group per reason, with its count and first records. Messages that differ only after
 * a semicolon, such as `...; there is no cat_9.`, share a reason.
 * @param all prints every finding on its own line
 */
export function describeFindings(findings: readonly Finding[], { all = false } = {}): string[] {
  if (all) return findings.map(wholeLine);
  const reasons = Map.groupBy(findings, ({ code, message }) => `${reasonOf(message)} ${code}`);
  const lines = [...reasons.values()].slice(0, reasonsMax).flatMap(linesOfReason);
  const rest = reasons.size - reasonsMax;
  return rest > 0 ? [...lines, `and ${rest} more reasons`] : lines;
}

/** `failing.json has 3 failures`, or `one failure`. */
export const countOf = (findings: readonly Finding[], noun: string): string =>
  findings.length === 1 ? `one ${noun}` : `${findings.length} ${noun}s`;

function linesOfReason(findings: readonly Finding[]): string[] {
  const [first, second] = findings as readonly [Finding, ...Finding[]];
  if (!second) return [wholeLine(first)];
  const isSame = findings.every(({ message }) => message === first.message);
  const sentence = isSame ? first.message : `${reasonOf(first.message)}.`;
  const lines = findings
    .slice(0, findingsMax)
    .map((finding) => (isSame ? nameOf(finding) : `${nameOf(finding)}: ${detailOf(finding.message)}`));
  return [
    escapeControlCharacters(`${sentence} (${first.code}, ${findings.length} times)`),
    ...lines.map((line) => escapeControlCharacters(`  ${line}`)),
    ...(findings.length > findingsMax ? [`  and ${findings.length - findingsMax} more`] : []),
  ];
}

const wholeLine = (finding: Finding): string =>
  escapeControlCharacters(`${nameOf(finding)}: ${finding.message} (${finding.code})`);

const reasonOf = (message: string): string => message.split('; ', 1)[0] as string;

const detailOf = (message: string): string => message.slice(reasonOf(message).length + 2);

/** Names a finding: an entry as in addresses, a failure outside a record by its line. */
function nameOf({ kind, id, modelId, path, location }: Finding): string {
  const line = kind === 'document' && location.startsWith('line ') ? location : '';
  const name = modelId === undefined ? id : `${modelId}/${id}`;
  return [kind, name || line, path].filter(Boolean).join(' ');
}
