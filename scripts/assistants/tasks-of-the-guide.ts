export interface TaskSection {
  heading: string;
  tasks: { task: string; line: string }[];
}

/** The tables of the guide for tests of clients: what a client must cope with, and the line that makes it happen. */
export function tasksOfTheGuide(guide: string): TaskSection[] {
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
