/**
 * Templates for SAML name IDs and attributes: text that contains member fields, e.g. `${firstName}
 * ${lastName|upper}`. A `$` not followed by `{` is plain text. Form, server and sign-in all use this parser.
 */
export type TemplateFilter = 'lower' | 'upper';

export type TemplatePart = { text: string } | { field: string; filter?: TemplateFilter };

export type ParsedTemplate = { parts: TemplatePart[] } | { problem: string };

/** Parses a template. Returns its parts, or the problem as a user-facing sentence. */
export function parseSamlTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let rest = template;
  for (let start = rest.indexOf('${'); start >= 0; start = rest.indexOf('${')) {
    const end = rest.indexOf('}', start);
    if (end < 0) return { problem: 'Unclosed ${' };
    const part = placeholderOf(rest.slice(start + 2, end));
    if ('problem' in part) return part;
    if (start > 0) parts.push({ text: rest.slice(0, start) });
    parts.push(part);
    rest = rest.slice(end + 1);
  }
  if (rest !== '') parts.push({ text: rest });
  return { parts };
}

function placeholderOf(inside: string): { field: string; filter?: TemplateFilter } | { problem: string } {
  const [field = '', filter, ...more] = inside.split('|').map((word) => word.trim());
  if (!/^\w+$/.test(field)) return { problem: 'Write a field name between ${ and }, e.g. ${firstName}' };
  if (filter === undefined) return { field };
  if (more.length > 0 || !isFilter(filter)) return { problem: 'Only |lower or |upper can follow a field' };
  return { field, filter };
}

const isFilter = (word: string): word is TemplateFilter => word === 'lower' || word === 'upper';

/** Returns the problem with a template that can use these fields, as a user-facing sentence, or undefined. */
export function samlTemplateProblem(template: string, fields: readonly string[]): string | undefined {
  const parsed = parseSamlTemplate(template);
  if ('problem' in parsed) return parsed.problem;
  const unknown = parsed.parts.find((part) => 'field' in part && !fields.includes(part.field));
  return unknown && 'field' in unknown ? `${unknown.field} is not a member field` : undefined;
}

/**
 * Renders a template.
 * @param fieldOf returns a field's value, or '' if the member has no value for the field
 */
export function renderSamlTemplate(parts: readonly TemplatePart[], fieldOf: (field: string) => string): string {
  return parts.map((part) => ('text' in part ? part.text : filtered(fieldOf(part.field), part.filter))).join('');
}

function filtered(value: string, filter: TemplateFilter | undefined): string {
  if (filter === 'lower') return value.toLowerCase();
  return filter === 'upper' ? value.toUpperCase() : value;
}
