import { readFileSync } from 'node:fs';
import { placeOf } from '@orchestrate/db';

interface TaskSection {
  heading: string;
  tasks: { task: string; line: string }[];
}

/** Reads the tables of the guide for tests of clients: what a client must cope with, and the line that makes it happen. */
export function tasksOfTheGuide(): TaskSection[] {
  const guide = readFileSync(placeOf('docs/testing-a-client.md'), 'utf8');
  const [, ...parts] = guide.split(/^## /m);
  return parts
    .map((part) => {
      const rows = [...part.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)].filter(([, , line = '']) => line.includes('`'));
      return {
        heading: part.split('\n')[0] ?? '',
        tasks: rows.map(([, task = '', line = '']) => ({ task: task.trim(), line: line.trim() })),
      };
    })
    .filter(({ tasks }) => tasks.length > 0);
}
