import { evaluateAnswer } from '../../../shared/formats/dcql/evaluate-answer.ts'
import type { PresentedCredential } from '../../../shared/formats/dcql/match-credential.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { readQuery } from './read-query.ts'
import { type PresentedInput, QueryEvaluationView, QueryToEvaluate } from './schemas.ts'

export const presentationQueryRoutes = [
  defineRoute({
    operation: 'evaluatePresentationQuery',
    changesTenant: false,
    summary: 'Evaluate a query without a wallet: whether credentials with these claims would answer it',
    tag: 'Verifier',
    method: 'POST',
    path: '/v2/presentations/queries/evaluate',
    access: operators('admin', 'verifier'),
    event: 'PRESENTATION_QUERY_EVALUATE',
    body: QueryToEvaluate,
    bodyLimitBytes: 500_000,
    status: 200,
    response: QueryEvaluationView,
    async handle({ body: { credentials, ...forms } }) {
      const dcqlQuery = readQuery(forms)
      const answer = new Map(
        Object.entries(credentials).map(([id, presented]) => [
          id,
          presented.map((each, index) => readPresented(each, `${id}/${index}`)),
        ]),
      )
      return { ...evaluateAnswer(dcqlQuery, answer), dcqlQuery }
    },
  }),
]

/** `ownId` identifies a credential of which the answer has one presentation. */
function readPresented(input: PresentedInput, ownId: string): PresentedCredential {
  const { issuedId, format, isHolderBound, authorities } = input
  const common = { issuedId: issuedId ?? ownId, format, isHolderBound, authorities }
  if (input.format === 'dc+sd-jwt') {
    const { types, claims, disclosed } = input
    return { ...common, types, claims, disclosed }
  }
  if (input.format !== 'mso_mdoc') return { ...common, types: input.types, claims: input.claims, disclosed: [] }
  const { docType, nameSpaces } = input
  const disclosed = Object.entries(nameSpaces).flatMap(([namespace, elements]) =>
    Object.keys(elements).map((element) => [namespace, element]),
  )
  return { ...common, types: [docType], claims: nameSpaces, disclosed }
}
