import {
  type AppType,
  CHECKED_COLUMNS_MAX,
  CHECKED_PEOPLE_MAX,
  CHECKED_ROWS_MAX,
  type CheckedRow,
  CSV_FIELDS,
  type CsvColumn,
  type CsvEncoding,
  fullNameOf,
  visibleText,
} from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { type BulkInviteRequest, emptyFileRefusal } from './bulk-invite.ts';
import { csvBatches, requireCsv } from './csv-batches.ts';
import { defaultColumns } from './csv-columns.ts';
import { type CsvFormat, createCsvReader, withoutLineBreaks } from './csv-reader.ts';
import { readInviteFacts, readRows } from './invite-batch.ts';
import { requireOrganisationFor } from './invite-users.ts';
import { addressError, inviteeCheckOf } from './judge-invitee.ts';
import { type JudgedRow, judgeRows, noEarlierRows } from './plan-invites.ts';

type CheckRequest = Omit<BulkInviteRequest, 'actor' | 'uploadId' | 'type'> & { type?: AppType | undefined };

/**
 * Returns the result that each row of a file would have if uploaded now, by the same rules as an upload.
 * @throws Refusal as in `bulkInvite`
 */
export async function checkFile(deps: Deps, { caller, file, type, sendEmail, addNew, columns }: CheckRequest) {
  requireCsv(deps, file);
  const organisation = requireOrganisationFor(deps, caller.orgCode, type);
  const reader = createCsvReader(organisation.primaryAttrField, columns);
  const options = { type, sendEmail, addNew, again: false };
  const earlier = noEarlierRows();
  const counts = { member: 0, new: 0, registered: 0, duplicate: 0, refused: 0 };
  const people: CheckedRow[] = [];
  let encoding: CsvEncoding = 'utf-8';
  let rowsRead = 0;
  let judged = 0;
  for await (const { rows, ...turn } of csvBatches(deps, caller, { file, reader })) {
    ({ encoding } = turn);
    rowsRead += rows.length;
    const addressed = readRows(rows.slice(0, CHECKED_ROWS_MAX - judged), options);
    judged += addressed.length;
    for (const row of judgeRows(addressed, readInviteFacts(deps, organisation, options, addressed), options, earlier)) {
      const person = checkedRow(row);
      counts[person.outcome] += 1;
      if (counts[person.outcome] <= CHECKED_PEOPLE_MAX) people.push(person);
    }
  }
  if (rowsRead === 0) throw emptyFileRefusal(reader);
  const isWhole = judged === rowsRead;
  return { columns: columnsOf(reader.format), encoding, rows: judged, isWhole, counts, people };
}

function checkedRow({ row, email: address, verdict }: JudgedRow): CheckedRow {
  const { line, firstName, lastName } = row;
  const email = address ?? shown(row.email);
  const unknown =
    address === undefined
      ? addressError(email)
      : 'No member has this address. Fill in all four columns to add a new member.';
  const result = inviteeCheckOf(verdict, unknown);
  if (verdict.outcome === 'duplicate') result.reason = `Duplicate of line ${verdict.of}.`;
  return { line, email, name: shown(fullNameOf({ firstName, lastName })), ...result };
}

function columnsOf(format: CsvFormat | undefined): CsvColumn[] {
  const { header = [], samples = [], columns = defaultColumns(samples) } = format ?? {};
  return samples.slice(0, CHECKED_COLUMNS_MAX).map((sample, at) => ({
    header: shown(header[at] ?? ''),
    sample: shown(sample),
    field: CSV_FIELDS.find((field) => columns[field] === at) ?? null,
  }));
}

/**
 * Maximum length of a displayed value, in characters. Longer values are truncated, because they only need to be
 * recognisable.
 */
const SHOWN_MAX_LENGTH = 254;

const shown = (text: string): string => visibleText(withoutLineBreaks(text).trim().slice(0, SHOWN_MAX_LENGTH));
