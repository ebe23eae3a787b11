import { chakra, Grid, Heading, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  ASSERTION_DAMAGES,
  addFault,
  OAUTH_ERRORS,
  RESULT_NAMES,
  SCIM_TYPES,
  TOKEN_DAMAGES,
} from '@orchestrate/shared';
import { type ReactNode, useState } from 'react';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { NumberField } from '#ui/form/number-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { useLabForm } from '../use-control.ts';

const RESULTS = RESULT_NAMES.filter((name) => !name.startsWith('RESERVED'));

/** Fault types and the input that each requires. */
const FAULT_KINDS = {
  status: { words: t`HTTP status`, asks: 'status' },
  resultName: { words: t`Portal result`, asks: 'one of', label: t`Result`, options: RESULTS },
  oauthError: { words: t`OAuth error`, asks: 'one of', label: t`OAuth error`, options: OAUTH_ERRORS },
  scim: { words: t`SCIM error`, asks: 'status' },
  token: { words: t`Tampered ID token`, asks: 'one of', label: t`Tampering`, options: TOKEN_DAMAGES },
  without: { words: t`ID token without a claim`, asks: 'claim' },
  claims: { words: t`Extra claims in the ID token`, asks: 'fields' },
  fields: { words: t`Extra fields in the token response`, asks: 'fields' },
  assertion: { words: t`Tampered SAML response`, asks: 'one of', label: t`Tampering`, options: ASSERTION_DAMAGES },
  delayMs: { words: t`Delayed response`, asks: 'nothing' },
  hang: { words: t`No response`, asks: 'nothing' },
  cut: { words: t`Connection dropped before the response`, asks: 'nothing' },
  cutBody: { words: t`Connection dropped during the response`, asks: 'nothing' },
} as const;

type FaultKind = keyof typeof FAULT_KINDS;
const faultKinds = Object.keys(FAULT_KINDS) as FaultKind[];

/** Initial form values. */
const NO_FAULT = {
  method: '',
  path: '',
  email: '',
  org: '',
  client: '',
  requestBody: '',
  status: '500',
  headers: '',
  body: '',
  scimType: '',
  detail: '',
  claim: '',
  fields: '',
  delay: '',
  times: '1',
  after: '0',
};
type FaultValues = typeof NO_FAULT;

/** Builds a fault for the contract. @param choice selected option for the kind */
function faultOf(kind: FaultKind, choice: string, values: FaultValues) {
  const { method, path, email, org, client, requestBody, times, after } = values;
  return {
    match: {
      ...(method && { method }),
      path: path.trim(),
      ...(email && { email }),
      ...(org && { org }),
      ...(client && { client }),
      ...(requestBody && { body: jsonOrText(requestBody) }),
    },
    answer: answerOf(kind, choice, values),
    times: Number(times),
    after: Number(after),
  };
}

function answerOf(kind: FaultKind, choice: string, values: FaultValues) {
  const { status, headers, body, scimType, detail, claim, fields, delay } = values;
  const inputs = FAULT_KINDS[kind];
  const isScim = kind === 'scim';
  return {
    ...(kind === 'status' && {
      status: Number(status),
      ...(body && { body: jsonOrText(body) }),
      ...(headers.trim() && { headers: headersOf(headers) }),
    }),
    ...(isScim && { scim: { status: Number(status), ...(scimType && { scimType }), ...(detail && { detail }) } }),
    ...(inputs.asks === 'one of' && { [kind]: choice || inputs.options[0] }),
    ...(kind === 'without' && { token: { without: claim.trim() } }),
    ...(inputs.asks === 'fields' && { [kind]: jsonOrText(fields) }),
    ...(kind === 'hang' && { hang: true }),
    ...(kind === 'cut' && { cut: true }),
    ...(kind === 'cutBody' && { cut: 'body' }),
    ...((delay !== '' || kind === 'delayMs') && { delayMs: Number(delay || '1000') }),
  };
}

/** Parses objects and lists as JSON. Everything else, including numbers, stays a string. */
function jsonOrText(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : body;
  } catch {
    return body;
  }
}

/** Parses headers such as `Retry-After: 30`, one per line. */
const headersOf = (typed: string): Record<string, string> =>
  Object.fromEntries(
    typed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );

const FIELDS = [
  'path',
  'method',
  'email',
  'org',
  'after',
  'times',
  'status',
  'detail',
  'delayMs',
  'body',
  'headers',
  'without',
  'claims',
  'fields',
  'client',
  ...faultKinds.filter((kind) => FAULT_KINDS[kind].asks === 'one of'),
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Form for a fault: the requests it matches and its effect. */
export function FaultForm({ onAdded }: { onAdded: () => void }) {
  const [values, setValues] = useState(NO_FAULT);
  const [kind, setKind] = useState<FaultKind>('status');
  const [choice, setChoice] = useState('');
  const { send, errors, isPending } = useLabForm(addFault, FIELDS);
  const fields = FAULT_KINDS[kind];
  const bind = (name: keyof FaultValues) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  });

  const add = async () => {
    if (!(await send(faultOf(kind, choice, values)))) return;
    setValues({ ...NO_FAULT, path: values.path });
    onAdded();
  };
  return (
    <chakra.form
      noValidate
      aria-label={t`New fault`}
      display="flex"
      flexDirection="column"
      gap="6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void add();
      }}
    >
      <FieldGroup title={t`Requests to match`}>
        <chakra.div gridColumn={{ sm: 'span 2' }}>
          <FormField label={t`Path`} help={t`Any path the portal serves`} error={errors.path}>
            <Input placeholder="/api/device/manage" autoCapitalize="none" spellCheck={false} {...bind('path')} />
          </FormField>
        </chakra.div>
        <FormField label={t`Method`} error={errors.method}>
          <Select {...bind('method')}>
            <option value="">{t`any`}</option>
            {METHODS.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </Select>
        </FormField>
        <FormField label={t`Only from this person`} error={errors.email}>
          <Input type="email" placeholder={t`anyone`} autoCapitalize="none" {...bind('email')} />
        </FormField>
        <FormField label={t`Only in this organisation`} error={errors.org}>
          <Input placeholder={t`any`} autoCapitalize="none" spellCheck={false} {...bind('org')} />
        </FormField>
        <FormField label={t`Only from this application`} error={errors.client}>
          <Input placeholder={t`any`} autoCapitalize="none" spellCheck={false} {...bind('client')} />
        </FormField>
        <FormField
          label={t`Only with these fields in the body`}
          help={t`A JSON object`}
          error={values.body ? undefined : errors.body}
        >
          <Input placeholder={'{"grant_type": "refresh_token"}'} spellCheck={false} {...bind('requestBody')} />
        </FormField>
        <NumberField label={t`Skip the first`} max={1_000} error={errors.after} {...bind('after')} />
        <NumberField label={t`Times to trigger`} min={1} max={1_000} error={errors.times} {...bind('times')} />
      </FieldGroup>
      <FieldGroup title={t`Response`}>
        <chakra.div gridColumn={{ sm: 'span 2' }}>
          <FormField label={t`Effect`}>
            <Select
              value={kind}
              onChange={({ target }) => {
                setKind(faultKinds.find((one) => one === target.value) ?? 'status');
                setChoice('');
              }}
            >
              {faultKinds.map((one) => (
                <option key={one} value={one}>
                  {FAULT_KINDS[one].words}
                </option>
              ))}
            </Select>
          </FormField>
        </chakra.div>
        {fields.asks === 'one of' && (
          <FormField label={fields.label} error={errors[kind]}>
            <Select value={choice || fields.options[0]} onChange={({ target }) => setChoice(target.value)}>
              {fields.options.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </Select>
          </FormField>
        )}
        {fields.asks === 'status' && (
          <NumberField label={t`HTTP status`} min={200} max={599} error={errors.status} {...bind('status')} />
        )}
        {kind === 'without' && (
          <FormField label={t`Claim`} error={errors.without}>
            <Input placeholder="email" autoCapitalize="none" spellCheck={false} {...bind('claim')} />
          </FormField>
        )}
        {fields.asks === 'fields' && (
          <FormField label={kind === 'claims' ? t`Claims` : t`Fields`} help={t`A JSON object`} error={errors[kind]}>
            <TextArea
              rows={2}
              fontFamily="mono"
              spellCheck={false}
              placeholder={'{"tenant": "north"}'}
              {...bind('fields')}
            />
          </FormField>
        )}
        {kind === 'scim' && (
          <>
            <FormField label={t`scimType`}>
              <Select {...bind('scimType')}>
                <option value="">{t`none`}</option>
                {SCIM_TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </Select>
            </FormField>
            <FormField label={t`Detail`} error={errors.detail}>
              <Input {...bind('detail')} />
            </FormField>
          </>
        )}
        <NumberField
          label={t`Delay`}
          unit={t`ms`}
          max={60_000}
          placeholder={kind === 'delayMs' ? '1000' : '0'}
          error={errors.delayMs}
          {...bind('delay')}
        />
      </FieldGroup>
      {kind === 'status' && (
        <Grid gap="4" templateColumns={{ base: '1fr', sm: '2fr 1fr' }} alignItems="start">
          <FormField
            label={t`Body (optional)`}
            help={t`JSON or plain text. If left empty, the portal sends its usual body for this status.`}
            error={errors.body}
          >
            <TextArea rows={2} fontFamily="mono" spellCheck={false} {...bind('body')} />
          </FormField>
          <FormField label={t`Headers (optional)`} help={t`One per line`} error={errors.headers}>
            <TextArea
              rows={2}
              fontFamily="mono"
              spellCheck={false}
              placeholder={t`Retry-After: 30`}
              {...bind('headers')}
            />
          </FormField>
        </Grid>
      )}
      {errors.root && <AlertLine>{errors.root}</AlertLine>}
      <SoftDisabledButton type="submit" alignSelf="flex-start" isDisabled={isPending}>
        {t`Add fault`}
      </SoftDisabledButton>
    </chakra.form>
  );
}

/** A titled group of fields. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <chakra.section display="flex" flexDirection="column" gap="3">
      <Heading as="h3" size="sm" color="fg.muted" fontWeight="medium">
        {title}
      </Heading>
      <Grid
        gap="4"
        templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' }}
        alignItems="start"
      >
        {children}
      </Grid>
    </chakra.section>
  );
}
