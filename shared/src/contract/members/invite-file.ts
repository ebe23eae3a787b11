import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { appType } from './activation.ts';
import { inviteeCheck, inviteReply } from './invite-answers.ts';

/** Fields that a column of the file can contain. */
export const CSV_FIELDS = ['email', 'firstName', 'lastName', 'primaryAttr'] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

const COLUMN_NAMED_TWICE = 'Each field can have only one column';

/** The field of each column, in order, e.g. `lastName,,email`: empty for a column that is left out. */
const csvColumns = text(2_000)
  .transform((named) => named.split(',').map((name) => name.trim()))
  .pipe(
    z
      .array(z.enum(['', ...CSV_FIELDS], `Use ${CSV_FIELDS.join(', ')}, or nothing`))
      .refine(
        (named) => CSV_FIELDS.every((field) => named.filter((name) => name === field).length < 2),
        COLUMN_NAMED_TWICE,
      ),
  );

/** In the query, because form fields would have to precede the file. */
const csvQuery = z.object({
  /** The fields of the columns; by default they are recognised by their names. */
  columns: csvColumns.optional(),
  /**
   * True if a row with only an email creates a member, with a name derived from it until they enter their own.
   * Otherwise only rows with all four columns create members.
   */
  addNew: z.enum(['true', 'false']).default('false'),
});

/** If these precede `file`, the rows are read as they arrive; otherwise only once the file is complete. */
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
  summary: 'Invite members by CSV file, at most 50 MB, multipart: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  multipart: bulkInviteFields,
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: inviteReply.extend({
    /** Number of data rows read. */
    rows: z.number().int(),
    /** Number of new members created from their row. */
    created: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  events: ['members.upload-began', 'members.invited'],
});

/** Maximum number of rows that a check evaluates; later rows are only read by the upload. */
export const CHECKED_ROWS_MAX = 100_000;
/** Maximum number of people of each outcome in the response of a check; the counts include all. */
export const CHECKED_PEOPLE_MAX = 1_000;
/** Maximum number of columns in the response of a check. */
export const CHECKED_COLUMNS_MAX = 100;

const checkedRow = inviteeCheck.extend({
  /** Line of the file, from 1. */
  line: z.number().int(),
  /** As in the row, or empty. */
  name: z.string(),
});
export type CheckedRow = z.output<typeof checkedRow>;

const csvColumn = z.object({
  /** Its cell in the header; empty if the file has no header. */
  header: z.string(),
  /** Its first cell below the header. */
  sample: z.string(),
  /** Its field; null if the column is left out. */
  field: z.enum(CSV_FIELDS).nullable(),
});
export type CsvColumn = z.output<typeof csvColumn>;

/** `utf-16` if the file starts with its byte order mark; `windows-1252` if it is not UTF-8. */
const csvEncoding = z.enum(['utf-8', 'utf-16', 'windows-1252']);
export type CsvEncoding = z.output<typeof csvEncoding>;

export const checkBulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite/check',
  unversioned: 'reads',
  area: 'People',
  summary: 'Check the outcome of each row of a CSV file without writing anything',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  /** Without a `type`, its requirements are not checked: apps that are switched off, devices, codes. */
  multipart: bulkInviteFields.omit({ uploadId: true }).partial({ type: true }),
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: z.object({
    /** At most `CHECKED_COLUMNS_MAX`. */
    columns: z.array(csvColumn),
    /** Detected encoding. */
    encoding: csvEncoding,
    /** Number of rows checked: at most `CHECKED_ROWS_MAX`. */
    rows: z.number().int(),
    /** True if the whole file was checked. */
    isWhole: z.boolean(),
    counts: z.record(inviteeCheck.shape.outcome, z.number().int()),
    /** In the order of the file: the first `CHECKED_PEOPLE_MAX` of each outcome. */
    people: z.array(checkedRow),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  // Writes nothing.
  events: [],
});
