import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { appType } from './activation.ts';
import { inviteeCheck, inviteReply } from './invite-answers.ts';

/** What a column of the file may hold. */
export const CSV_FIELDS = ['email', 'firstName', 'lastName', 'primaryAttr'] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

const COLUMN_NAMED_TWICE = 'Each field can have only one column';

/** What each column holds, in their order, e.g. `lastName,,email`: empty for a column that is left out. */
const csvColumns = text(2_000)
  .transform((named) => named.split(',').map((name) => name.trim()))
  .pipe(
    z
      .array(z.enum(['', ...CSV_FIELDS], `Name ${CSV_FIELDS.join(', ')}, or nothing`))
      .refine(
        (named) => CSV_FIELDS.every((field) => named.filter((name) => name === field).length < 2),
        COLUMN_NAMED_TWICE,
      ),
  );

/** In the address, because fields of the form would have to come before the file. */
const csvQuery = z.object({
  /** What the columns hold; if it is absent, they are recognised by their names. */
  columns: csvColumns.optional(),
  /**
   * Whether an address alone makes a new member, with a name made of it until they enter their own. Otherwise a row
   * makes one only with all four columns.
   */
  addNew: z.enum(['true', 'false']).default('false'),
});

/** If these come before `file`, the rows are read as they arrive; otherwise only once the file is complete. */
export const bulkInviteFields = z.object({
  type: appType,
  sendEmail: z.enum(['true', 'false']).default('false'),
  /** Chosen by the client, to follow the upload on its channel. */
  uploadId: text(64).optional(),
});

export const bulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite',
  unversioned: 'creates',
  area: 'People',
  summary: 'Invite users by CSV file, at most 50 MB, multipart: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  multipart: bulkInviteFields,
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: inviteReply.extend({
    /** Data rows read. */
    rows: z.number().int(),
    /** Members who were unknown and have been created from their row. */
    created: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  events: ['members.upload-began', 'members.invited'],
});

/** Maximum number of rows that a check judges; the rows after them are read only when the file is uploaded. */
export const CHECKED_ROWS_MAX = 100_000;
/** Maximum number of people of each outcome in the answer of a check; the counts are of all. */
export const CHECKED_PEOPLE_MAX = 1_000;
/** Maximum number of columns in the answer of a check. */
export const CHECKED_COLUMNS_MAX = 100;

const checkedRow = inviteeCheck.extend({
  /** Line of the file, from 1. */
  line: z.number().int(),
  /** As in the row; empty where it has none. */
  name: z.string(),
});
export type CheckedRow = z.output<typeof checkedRow>;

const csvColumn = z.object({
  /** Its cell in the header; empty where the file has none. */
  header: z.string(),
  /** Its first cell below that. */
  sample: z.string(),
  /** What it holds; null where it is left out. */
  field: z.enum(CSV_FIELDS).nullable(),
});
export type CsvColumn = z.output<typeof csvColumn>;

/** `utf-16` where the file begins with its byte order mark; `windows-1252` where it is not UTF-8. */
const csvEncoding = z.enum(['utf-8', 'utf-16', 'windows-1252']);
export type CsvEncoding = z.output<typeof csvEncoding>;

export const checkBulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'What would become of each row of a CSV file if it was uploaded; nothing is written',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  /** Without a `type`, nothing that depends on it is judged: apps that are switched off, devices, codes. */
  multipart: bulkInviteFields.omit({ uploadId: true }).partial({ type: true }),
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: z.object({
    /** At most `CHECKED_COLUMNS_MAX`. */
    columns: z.array(csvColumn),
    /** In which it was read. */
    encoding: csvEncoding,
    /** Data rows judged: at most `CHECKED_ROWS_MAX`. */
    rows: z.number().int(),
    /** Whether the whole file was judged. */
    isWhole: z.boolean(),
    counts: z.record(inviteeCheck.shape.outcome, z.number().int()),
    /** In the order of the file: the first `CHECKED_PEOPLE_MAX` of each outcome. */
    people: z.array(checkedRow),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  // Writes nothing.
  events: [],
});
