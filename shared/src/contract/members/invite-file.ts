import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { appType } from './activation.ts';
import { inviteeCheck, inviteReply } from './invite-answers.ts';

/** Fields that a column in the file can contain. */
export const CSV_FIELDS = ['email', 'firstName', 'lastName', 'primaryAttr'] as const;
export type CsvField = (typeof CSV_FIELDS)[number];

const COLUMN_NAMED_TWICE = 'Each field can have only one column';

/** The field of each column, in order, e.g. `lastName,,email`. Empty for a column to skip. */
const csvColumns = text(2_000)
  .transform((named) => named.split(',').map((name) => name.trim()))
  .pipe(
    z
      .array(z.enum(['', ...CSV_FIELDS], `Use ${CSV_FIELDS.join(', ')}, or leave the column empty`))
      .refine(
        (named) => CSV_FIELDS.every((field) => named.filter((name) => name === field).length < 2),
        COLUMN_NAMED_TWICE,
      ),
  );

/** Passed in the query, because form fields would have to precede the file. */
const csvQuery = z.object({
  /** The field of each column. By default, columns are recognised by their names. */
  columns: csvColumns.optional(),
  /**
   * `true` if a row with only an email creates a member, whose name is derived from the email until they enter their
   * own. Otherwise only rows with all four columns create members.
   */
  addNew: z.enum(['true', 'false']).default('false'),
});

/**
 * Form fields of a bulk invitation. If these precede `file`, rows are read as they arrive; otherwise reading starts
 * once the file is complete.
 */
export const bulkInviteFields = z.object({
  type: appType,
  sendEmail: z.enum(['true', 'false']).default('false'),
  /** ID chosen by the client, used to follow the upload on its channel. */
  uploadId: text(64).optional(),
});

export const bulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite',
  unversioned: 'creates',
  area: 'People',
  summary: 'Invite members by CSV file, at most 50 MB, as multipart form: type, sendEmail, uploadId, file',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  multipart: bulkInviteFields,
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: inviteReply.extend({
    /** Number of data rows that were read. */
    rows: z.number().int(),
    /** Number of members created from new people's rows. */
    created: z.number().int(),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  events: ['members.upload-began', 'members.invited'],
});

/** Maximum number of rows that a check evaluates. Only the upload itself reads later rows. */
export const CHECKED_ROWS_MAX = 100_000;
/** Maximum number of people per outcome in a check's response. The counts include everyone. */
export const CHECKED_PEOPLE_MAX = 1_000;
/** Maximum number of columns in a check's response. */
export const CHECKED_COLUMNS_MAX = 100;

const checkedRow = inviteeCheck.extend({
  /** Line number in the file, starting at 1. */
  line: z.number().int(),
  /** Name as it appears in the row, or empty. */
  name: z.string(),
});
export type CheckedRow = z.output<typeof checkedRow>;

const csvColumn = z.object({
  /** The column's header cell. Empty if the file has no header. */
  header: z.string(),
  /** The column's first cell below the header. */
  sample: z.string(),
  /** The column's field. null if the column is skipped. */
  field: z.enum(CSV_FIELDS).nullable(),
});
export type CsvColumn = z.output<typeof csvColumn>;

/**
 * Detected encoding: `utf-16` if the file starts with the UTF-16 byte order mark, `windows-1252` if it isn't valid
 * UTF-8.
 */
const csvEncoding = z.enum(['utf-8', 'utf-16', 'windows-1252']);
export type CsvEncoding = z.output<typeof csvEncoding>;

export const checkBulkInvite = endpoint({
  method: 'POST',
  path: '/user/bulkinvite/check',
  unversioned: 'reads',
  area: 'People',
  summary: "Check each row's outcome for a CSV file without writing anything",
  access: { who: 'permission', permission: 'BULK_INVITE' },
  query: csvQuery,
  /** If `type` is omitted, its requirements are not checked: disabled apps, devices, codes. */
  multipart: bulkInviteFields.omit({ uploadId: true }).partial({ type: true }),
  file: { maxBytes: LIMITS.csvUploadBytes, example: 'people.csv' },
  reply: z.object({
    /** Columns of the file, at most `CHECKED_COLUMNS_MAX`. */
    columns: z.array(csvColumn),
    /** Detected encoding. */
    encoding: csvEncoding,
    /** Number of rows checked, at most `CHECKED_ROWS_MAX`. */
    rows: z.number().int(),
    /** True if the whole file was checked. */
    isWhole: z.boolean(),
    counts: z.record(inviteeCheck.shape.outcome, z.number().int()),
    /** People in file order: the first `CHECKED_PEOPLE_MAX` of each outcome. */
    people: z.array(checkedRow),
  }),
  refuses: ['NO_DATA', 'UPLOAD_BLOCKED_IN_DR', 'AUTHENTICATOR_DISALLOWED'],
  // A check doesn't modify any data, so there is no audit event.
  events: [],
});
