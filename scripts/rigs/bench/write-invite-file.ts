import { writeFileSync } from 'node:fs';

const FIRST = 'Olivia James Marta Henry Amelia Oliver Thomas Emily Samuel Harriet Zofia Lukas'.split(' ');
const LAST = 'Bennett Walker Hughes Clarke Foster Brooks Hayes Palmer Reid Sutton Hofmann'.split(' ');
const HEADER = 'email,firstName,lastName,employeeId\n';

/**
 * Writes a CSV file of at most `bytes` with new people; `mark` makes the people of each file unique.
 */
export function writeInviteFile(path: string, mark: string, bytes: number): void {
  const rows = [HEADER];
  let length = HEADER.length;
  for (let number = 0; ; number += 1) {
    const row = rowOf(number, mark);
    if (length + row.length > bytes) break;
    rows.push(row);
    length += row.length;
  }
  writeFileSync(path, rows.join(''));
}

function rowOf(number: number, mark: string): string {
  // A large step, so that adjacent people don't share a name.
  const firstName = FIRST[(number * 5) % FIRST.length] ?? '';
  const lastName = LAST[(number * 4 + Math.floor(number / 11)) % LAST.length] ?? '';
  return `${firstName}.${lastName}.${number}.${mark}@acme.test,${firstName},${lastName},${mark}-${number}\n`.toLowerCase();
}
