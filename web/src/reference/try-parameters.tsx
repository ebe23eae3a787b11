import type { Parameter } from './documents.ts';
import type { Schemas } from './schema-text.ts';
import type { useRequestDraft } from './use-request-draft.ts';
import { ValueField } from './value-field.tsx';

interface TryParametersProps {
  parameters: readonly Parameter[];
  schemas: Schemas;
  draft: ReturnType<typeof useRequestDraft>;
}

/** A field for each part of the address. */
export function TryParameters({ parameters, schemas, draft: { draft, change } }: TryParametersProps) {
  return parameters.map(({ name, in: where, required, schema }) => {
    if (where === 'header') return null;
    const part = where === 'path' ? 'params' : 'query';
    return (
      <ValueField
        key={`${where} ${name}`}
        name={name}
        schema={schema}
        schemas={schemas}
        isRequired={required}
        value={draft[part][name] ?? ''}
        onChange={(value) => change({ [part]: { ...draft[part], [name]: value } })}
      />
    );
  });
}
