import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import type { ComponentProps } from 'react';
import type { Replied } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';

interface ConfirmWriteProps<E extends EndpointDefinition>
  extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'verb' | 'isDestructive' | 'consequences'> {
  entry: E;
  /** Input of the call. Undefined closes the dialog. */
  input: InputOf<E> | undefined;
  /** Message of the success toast. */
  done: string;
  onDone?: (reply: Replied<E>) => void;
  onClose: () => void;
}

/** Asks for confirmation, sends one change to the server, and displays the reason if the server refuses it. */
export function ConfirmWrite<E extends EndpointDefinition>(props: ConfirmWriteProps<E>) {
  const { entry, input, done, onDone, onClose, ...dialog } = props;
  const { run, isPending, refusal, reset } = useWrite(entry, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!input) return;
    let reply: Replied<E>;
    try {
      reply = await run(input);
    } catch {
      return;
    }
    onDone?.(reply);
    toast.success(done);
    onClose();
  };
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={input !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
