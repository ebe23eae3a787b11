import { expect, test } from 'vitest';
import { parseSamlTemplate, renderSamlTemplate, samlTemplateProblem } from './saml-template.ts';

const FIELDS = ['firstName', 'lastName', 'email'];
const MEMBER: Record<string, string> = { firstName: 'Zoë', lastName: 'Lefèvre', email: 'Zoe@acme.test' };

function rendered(template: string): string {
  const parsed = parseSamlTemplate(template);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return renderSamlTemplate(parsed.parts, (field) => MEMBER[field] ?? '');
}

// covers: spec 2.2.38
test.each([
  ['', ''],
  ['plain', 'plain'],
  ['${firstName}', 'Zoë'],
  ['${firstName} ${lastName}', 'Zoë Lefèvre'],
  ['acme\\${email|lower}', 'acme\\zoe@acme.test'],
  ['${ lastName | upper }!', 'LEFÈVRE!'],
  ['$5 {x} }', '$5 {x} }'],
  ['$${firstName}', '$Zoë'],
  ['${nothing}', ''],
])('renders %j as %j', (template, text) => {
  expect(rendered(template)).toBe(text);
});

test("never parses a member's name as a template", () => {
  const parsed = parseSamlTemplate('${firstName}');
  if ('problem' in parsed) throw new Error(parsed.problem);
  expect(renderSamlTemplate(parsed.parts, () => '${email}')).toBe('${email}');
});

test.each([
  ['${firstName', 'Unclosed ${'],
  ['${}', 'Write a field name between ${ and }, e.g. ${firstName}'],
  ['${first name}', 'Write a field name between ${ and }, e.g. ${firstName}'],
  ['${${email}}', 'Write a field name between ${ and }, e.g. ${firstName}'],
  ['${email|trim}', 'Only |lower or |upper can follow a field'],
  ['${email|lower|upper}', 'Only |lower or |upper can follow a field'],
  ['${email|}', 'Only |lower or |upper can follow a field'],
  ['${email} ${password}', 'password is not a member field'],
])('rejects %j: %s', (template, problem) => {
  expect(samlTemplateProblem(template, FIELDS)).toBe(problem);
});

test('accepts a template with known fields', () => {
  expect(samlTemplateProblem('${firstName}.${lastName|lower}', FIELDS)).toBeUndefined();
});
