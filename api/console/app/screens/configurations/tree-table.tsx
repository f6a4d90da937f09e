import { type ClaimTree, type PlacedClaim, placedClaims } from '../../kit/claim-tree.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { commonTexts } from '../../kit/texts.ts'
import type { Body } from './body.ts'
import { fieldTexts as labels } from './field-texts.ts'
import { configurationTexts as own } from './texts.ts'

/** The claims of an SD-JWT VC in a table, in the order of their tree. The tree is edited in the JSON. */
export function TreeTable({ body, details }: { body: Body; details: Problem['details'] }) {
  const { claimMappings, disclose } = body
  const claims = isTree(claimMappings) ? placedClaims(claimMappings, disclose === 'never' ? 'never' : 'always') : []
  const faults = details.filter(({ param }) => `${param}.`.startsWith('claimMappings.'))
  return (
    <>
      <p class="soft">{say(own.treeHint)}</p>
      {faults.map(({ param, message }) => (
        <p key={param} class="fault" role="alert">
          {param}: {message}
        </p>
      ))}
      {claims.length > 0 && (
        <table>
          <thead>
            <tr>
              {[labels.claim, labels.mapFrom, labels.defaultValue, labels.required, own.disclosure].map((head) => (
                <th key={head.en}>{say(head)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {claims.map((claim) => (
              <Row key={JSON.stringify(claim.path)} {...claim} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Row({ path, leaf: { mapFrom, defaultValue, required }, isDisclosable }: PlacedClaim) {
  return (
    <tr>
      <td data-head={say(labels.claim)}>
        <code>{path.map((segment) => segment ?? '[]').join(' › ')}</code>
      </td>
      <td data-head={say(labels.mapFrom)}>{mapFrom && <code>{mapFrom}</code>}</td>
      <td data-head={say(labels.defaultValue)}>{defaultValue}</td>
      <td data-head={say(labels.required)}>{say(required ? commonTexts.yes : commonTexts.no)}</td>
      <td data-head={say(own.disclosure)}>{say(isDisclosable ? own.byHolder : own.alwaysShown)}</td>
    </tr>
  )
}

/** Whether a typed value is a tree, as far as this table reads it. */
function isTree(value: unknown): value is ClaimTree {
  return isRecord(value) && Object.values(value).every(isNode)
}

function isNode(node: unknown): boolean {
  if (!isRecord(node)) return false
  if ('members' in node) return isTree(node.members)
  return !('each' in node) || isNode(node.each)
}
