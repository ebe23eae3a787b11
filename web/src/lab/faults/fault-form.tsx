import { Button, chakra, Grid, Input } from '@chakra-ui/react';
import {
  ASSERTION_DAMAGES,
  addFault,
  OAUTH_ERRORS,
  programmedFault,
  RESULT_NAMES,
  TOKEN_DAMAGES,
} from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';

const RESULTS = RESULT_NAMES.filter((name) => !name.startsWith('RESERVED'));

/** What can happen to a request, and what has to be said about it. */
const KINDS = {
  status: { words: 'an HTTP status', asks: 'status' },
  resultName: { words: 'a result of the portal', asks: 'one of', label: 'Result', options: RESULTS },
  oauthError: { words: 'an OAuth error', asks: 'one of', label: 'OAuth error', options: OAUTH_ERRORS },
  token: { words: 'a damaged ID token', asks: 'one of', label: 'Damage', options: TOKEN_DAMAGES },
  assertion: { words: 'a damaged SAML answer', asks: 'one of', label: 'Damage', options: ASSERTION_DAMAGES },
  delayMs: { words: 'the real answer, late', asks: 'nothing' },
  hang: { words: 'no answer at all', asks: 'nothing' },
  cut: { words: 'the connection ends before the answer', asks: 'nothing' },
  cutBody: { words: 'the connection ends within the answer', asks: 'nothing' },
} as const;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

const EMPTY = { method: '', path: '', email: '', org: '', status: '500', body: '', delay: '', times: '1', after: '0' };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A fault in full: which requests it meets, and what happens to them. */
export function FaultForm({ onAdded }: { onAdded: () => void }) {
  const [values, setValues] = useState(EMPTY);
  const [kind, setKind] = useState<Kind>('status');
  const [choice, setChoice] = useState('');
  const [mistakes, setMistakes] = useState<Record<string, string>>({});
  const { run, isPending } = useWrite(addFault);
  const asked = KINDS[kind];
  const options = 'options' in asked ? asked.options : [];
  const bind = (name: keyof typeof EMPTY) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  });

  const answer = () => ({
    ...(kind === 'status' && { status: Number(values.status), ...(values.body && { body: values.body }) }),
    ...(asked.asks === 'one of' && { [kind]: choice || options[0] }),
    ...(kind === 'hang' && { hang: true }),
    ...(kind === 'cut' && { cut: true }),
    ...(kind === 'cutBody' && { cut: 'body' }),
    ...((values.delay !== '' || kind === 'delayMs') && { delayMs: Number(values.delay || '1000') }),
  });
  const add = async () => {
    const { method, path, email, org, times, after } = values;
    const parsed = programmedFault.safeParse({
      match: { ...(method && { method }), path: path.trim(), ...(email && { email }), ...(org && { org }) },
      answer: answer(),
      times: Number(times),
      after: Number(after),
    });
    setMistakes(fieldsOf(parsed.error?.issues ?? []));
    if (!parsed.success) return;
    try {
      await run({ body: parsed.data });
      setValues({ ...EMPTY, path });
    } catch (failure) {
      const issues = failure instanceof ApiRefusal ? failure.issues : [];
      setMistakes(issues.length > 0 ? fieldsOf(issues) : { root: resultText(failure) });
      return;
    }
    onAdded();
  };
  return (
    <chakra.form
      noValidate
      aria-label="A fault"
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Grid gap="4" templateColumns="repeat(auto-fit, minmax(11rem, 1fr))" alignItems="start">
        <FormField label="Address" help="Any that the portal serves" error={mistakes.path}>
          <Input placeholder="/api/device/manage" autoCapitalize="none" spellCheck={false} {...bind('path')} />
        </FormField>
        <FormField label="Method">
          <Select {...bind('method')}>
            <option value="">any</option>
            {METHODS.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </Select>
        </FormField>
        <FormField label="Only of this person" error={mistakes.email}>
          <Input type="email" placeholder="anybody" autoCapitalize="none" {...bind('email')} />
        </FormField>
        <FormField label="Only in this organisation" error={mistakes.org}>
          <Input placeholder="any" autoCapitalize="none" spellCheck={false} {...bind('org')} />
        </FormField>
        <FormField label="What happens">
          <Select
            value={kind}
            onChange={({ target }) => {
              setKind(kinds.find((one) => one === target.value) ?? 'status');
              setChoice('');
            }}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {KINDS[one].words}
              </option>
            ))}
          </Select>
        </FormField>
        {'label' in asked && (
          <FormField label={asked.label} error={mistakes[kind]}>
            <Select value={choice || options[0]} onChange={({ target }) => setChoice(target.value)}>
              {options.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </Select>
          </FormField>
        )}
        {kind === 'status' && (
          <NumberField label="HTTP status" min={200} max={599} error={mistakes.status} {...bind('status')} />
        )}
        <NumberField
          label="Wait first"
          unit="ms"
          max={60_000}
          placeholder={kind === 'delayMs' ? '1000' : '0'}
          error={mistakes.delayMs}
          {...bind('delay')}
        />
        <NumberField label="How many times" min={1} max={1_000} error={mistakes.times} {...bind('times')} />
        <NumberField label="Let pass first" max={1_000} error={mistakes.after} {...bind('after')} />
      </Grid>
      {kind === 'status' && (
        <FormField label="Body (optional)" help="Without one, what the portal itself sends with this status">
          <TextArea rows={2} fontFamily="mono" spellCheck={false} {...bind('body')} />
        </FormField>
      )}
      {mistakes.root && <AlertLine>{mistakes.root}</AlertLine>}
      <Button type="submit" alignSelf="flex-start" disabled={isPending}>
        Add the fault
      </Button>
    </chakra.form>
  );
}

/** Mistakes by the last part of their path; those about the whole at `root`. */
export function fieldsOf(
  issues: readonly { path: string | readonly PropertyKey[]; message: string }[],
): Record<string, string> {
  return Object.fromEntries(
    issues.map(({ path, message }) => {
      const parts = typeof path === 'string' ? path.split('.') : path;
      return [String(parts.at(-1) ?? 'root') || 'root', message];
    }),
  );
}
