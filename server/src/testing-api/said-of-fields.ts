import type { RefusalBody } from '@orchestrate/shared';

/** What a refusal says, and what is wrong with which field: a test prints little more than an error's message. */
export function saidOfFields(message: string, issues: RefusalBody['issues'] = []): string {
  const unsaid = issues.filter((issue) => issue.message !== message);
  const fields = unsaid.map(({ path, message: said }) => (path ? `${path}: ${said}` : said));
  return [message, fields.join('; ')].filter(Boolean).join(' ');
}
