import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skillFile } from './skill-file.ts';
import { tasksOfTheGuide } from './tasks-of-the-guide.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

test('what assistants are told are the tasks of the guide, all of them', () => {
  const sections = tasksOfTheGuide(read('docs/testing-a-client.md'));
  expect(sections.flatMap(({ tasks }) => tasks).length).toBeGreaterThan(25);
  expect(JSON.parse(read('server/src/features/reference/tasks-of-the-guide.json')), 'Run: pnpm generate').toEqual(
    sections,
  );
});

test('the skill file is up to date, and begins with its name and what it is for', () => {
  const skill = read('scripts/pack/files/skills/orchestrate/SKILL.md');
  expect(skill, 'Run: pnpm generate').toBe(skillFile());
  expect(skill).toMatch(/^---\nname: orchestrate\ndescription: [^\n]{50,1000}\n---\n/);
});
