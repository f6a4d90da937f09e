import { nameOfConfiguration, useConfigurations } from '../../../kit/configurations.ts'
import { FieldInput } from '../../../kit/form.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say, verbatim } from '../../../kit/language.ts'
import { commonTexts } from '../../../kit/texts.ts'
import { viewTexts } from '../views/texts.ts'
import { serverTexts as t } from './texts.ts'

/** A scope of the server and its configuration. The key tells rows apart while they are typed. */
export interface ScopeRow {
  key: number
  scope: string
  configurationId: string
}

export function scopeRowsOf(scopes: Readonly<Record<string, string>>): ScopeRow[] {
  return Object.entries(scopes).map(([scope, configurationId], key) => ({ key, scope, configurationId }))
}

/** Returns the scopes of the rows. Leaves out rows without a scope. */
export function scopesOf(rows: readonly ScopeRow[]): Record<string, string> {
  const named = rows.filter(({ scope }) => scope.trim() !== '')
  return Object.fromEntries(named.map(({ scope, configurationId }) => [scope.trim(), configurationId]))
}

const scopeField: Field = { name: 'scope', label: t.scope, required: true }

/** The inputs of the scopes: a row for each, and buttons that add and remove rows. */
export function ScopeRows({ of, onChange }: { of: readonly ScopeRow[]; onChange: (rows: ScopeRow[]) => void }) {
  const { data: configurations = [] } = useConfigurations()
  const configurationField: Field = {
    ...{ name: 'configurationId', label: viewTexts.configuration, kind: 'choice' },
    choices: configurations.map((each) => ({ value: each.id, label: verbatim(nameOfConfiguration(each)) })),
  }
  const put = (key: number, member: 'scope' | 'configurationId', value: string | boolean) =>
    onChange(of.map((row) => (row.key === key ? { ...row, [member]: String(value) } : row)))
  const add = () => {
    const key = Math.max(-1, ...of.map((row) => row.key)) + 1
    onChange([...of, { key, scope: '', configurationId: '' }])
  }
  return (
    <fieldset>
      <legend>{say(t.scopes)}</legend>
      <small class="soft">{say(t.scopesHint)}</small>
      {of.map(({ key, scope, configurationId }) => (
        <div key={key} class="actions">
          <FieldInput
            field={scopeField}
            value={scope}
            fault={undefined}
            onChange={(value) => put(key, 'scope', value)}
          />
          <FieldInput
            field={configurationField}
            value={configurationId}
            fault={undefined}
            onChange={(value) => put(key, 'configurationId', value)}
          />
          <button
            type="button"
            aria-label={`${say(commonTexts.delete)}: ${scope}`}
            onClick={() => onChange(of.filter((row) => row.key !== key))}
          >
            {say(commonTexts.delete)}
          </button>
        </div>
      ))}
      <div class="actions">
        <button type="button" onClick={add}>
          {say(t.addScope)}
        </button>
      </div>
    </fieldset>
  )
}
