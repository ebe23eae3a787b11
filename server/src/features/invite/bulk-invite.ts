import type { Tx } from '@orchestrate/db';
import { type AppType, type CsvField, codeOf } from '@orchestrate/shared';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { UploadedFile } from '#platform/http/requests/uploads.ts';
import { Refusal } from '#platform/refusal.ts';
import { csvBatches, requireCsv } from './csv-batches.ts';
import { type CsvReader, createCsvReader } from './csv-reader.ts';
import { inviteBatch } from './invite-batch.ts';
import { InviteTally } from './invite-tally.ts';
import { requireOrganisationFor } from './invite-users.ts';
import { MemberNumbers } from './member-numbers.ts';
import type { Progress, UploadProgress } from './upload-progress.ts';

export interface BulkInviteRequest {
  caller: Caller;
  actor: AuditActor;
  file: UploadedFile;
  type: AppType;
  sendEmail: boolean;
  /** True if an address is enough to create a new member. */
  addNew: boolean;
  /** The field of each column, if chosen manually. */
  columns?: readonly (CsvField | '')[];
  uploadId?: string;
}

/**
 * Invites the people in a CSV file as it arrives, in batches short enough not to delay other requests. Finished
 * batches remain if the upload is interrupted, and uploading the file again completes it.
 * @throws Refusal UPLOAD_BLOCKED_IN_DR in recovery mode; AUTHENTICATOR_DISALLOWED if the organisation has disabled
 * this device type; BAD_REQUEST if the file isn't CSV (415) or the upload is interrupted (400); NO_DATA if there are
 * no rows; INVALID_SESSION if the uploading member's session ends during the upload
 */
export async function bulkInvite(deps: Deps, progress: UploadProgress, request: BulkInviteRequest) {
  const { caller, file, uploadId } = request;
  let shown: Progress = { ...STARTED, bytesTotal: file.bytes };
  const show = (now: Partial<Progress>) => {
    shown = { ...shown, ...now };
    if (uploadId !== undefined) progress.set({ suid: caller.suid, uploadId }, shown);
  };
  try {
    show({});
    const tally = await inviteRows(deps, request, show);
    show({ state: 'done', bytesDone: shown.bytesTotal });
    return { ...tally.reply(), rows: tally.total, created: tally.created };
  } catch (reason) {
    show({ state: 'failed', resultCode: codeOf(reason instanceof Refusal ? reason.result : 'FAILED') });
    throw withProgress(reason, shown);
  }
}

/** Adds the number of rows read to a refusal, because the rows read so far are kept. */
function withProgress(reason: unknown, { rowsDone, invited }: Progress): unknown {
  if (!(reason instanceof Refusal) || rowsDone === 0) return reason;
  const { result, status } = reason;
  const message = `${reason.message} ${rowsDone} ${rowsDone === 1 ? 'row was' : 'rows were'} read before that. Upload the same file again: people already invited are not changed.`;
  return new Refusal(result, { message, fields: { rowsDone, invited }, ...(status !== undefined && { status }) });
}

const STARTED: Progress = { state: 'reading', resultCode: 0, rowsDone: 0, bytesDone: 0, bytesTotal: 0, invited: 0 };

/** Returns the refusal for a file without people. */
export const emptyFileRefusal = ({ format }: CsvReader): Refusal =>
  new Refusal('NO_DATA', format?.header.length ? { message: 'This file contains only a header row.' } : {});

async function inviteRows(
  deps: Deps,
  { caller, actor, file, type, sendEmail, addNew, columns }: BulkInviteRequest,
  show: (now: Partial<Progress>) => void,
): Promise<InviteTally> {
  requireCsv(deps, file);
  const organisation = requireOrganisationFor(deps, caller.orgCode, type);
  const reader = createCsvReader(organisation.primaryAttrField, columns);
  const options = { type, sendEmail, addNew, again: false };
  const tally = new InviteTally();
  const invited = new MemberNumbers();
  const object = { type: 'members', id: caller.orgCode, name: file.name } as const;
  let hasStarted = false;
  // Record one start event, with the first rows, and one result event, rather than half a million events.
  const onWritten = (tx: Tx) => {
    if (!hasStarted)
      record(deps, tx, actor, { action: 'members.upload-began', object, after: { type, sendEmail, addNew } });
    hasStarted = true;
  };
  try {
    await readRows();
  } finally {
    const { invited, created, unchanged, duplicates, rejectedCount: rejected } = tally;
    const after = { type, sendEmail, addNew, rows: tally.total, invited, created, unchanged, duplicates, rejected };
    if (hasStarted) record(deps, deps.db, actor, { action: 'members.invited', object, after });
    else actor.recorded.push('members.invited');
  }
  return tally;

  async function readRows(): Promise<void> {
    for await (const { rows, bytesRead } of csvBatches(deps, caller, { file, reader })) {
      inviteBatch(deps, { organisation, options, rows, invitedBy: caller.suid, onWritten, invited }, tally);
      show({ rowsDone: tally.total, bytesDone: bytesRead, invited: tally.invited });
    }
    if (tally.total === 0) throw emptyFileRefusal(reader);
  }
}
