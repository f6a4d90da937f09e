import { type Equivalent, onlySaved } from './equivalent.ts'

/** Equivalent mutants of `api/issuance`. */
export const equivalentsOfIssuance: readonly Equivalent[] = [
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: 'if (proven.length === 1 && !checked[0]?.attestation) return proven',
    becomes: ['false', 'checked[0].attestation'],
    because: 'The line only saves work. A proven key is the key of a checked proof.',
  },
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: 'const [[type, values] = [], ...more] = Object.entries(proofs)',
    becomes: ['["Stryker was here"]'],
    because: 'No type is refused, as an unknown type is.',
  },
  {
    file: 'api/issuance/proofs/check-proofs.ts',
    line: "if (more.length > 0 || type === undefined) throw refuse('proof_form', 'proofs must contain exactly one type')",
    becomes: ['false'],
    because: 'No type is refused, as an unknown type is. The tests refuse two types.',
  },
  {
    file: 'api/issuance/proofs/key-attestation.ts',
    line: "if (payload.exp !== undefined && payload.exp <= seconds) throw refuse('It is expired')",
    becomes: ['true'],
    because: 'Undefined is not less than a number.',
  },
  {
    file: 'api/issuance/proofs/key-attestation.ts',
    line: 'function requireOneOf(name: string, declared: string[] = [], accepted: string[] | undefined): void {',
    becomes: ['["Stryker was here"]'],
    because: 'No configuration requires this value.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "const offered = { userId: '', configurationIds: [], traceparent: null }",
    because: 'The row of the offer replaces both.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: 'if (request.tx_code !== undefined || request.authorization_details !== undefined) return undefined',
    becomes: ['true'],
    because: 'The other path gives the same response with more database messages.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: 'async function redeemAtOnce(call: TokenCall, code: string): Promise<Granted | undefined> {',
    because: 'The other path gives the same response with more database messages.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: 'Promise.all([',
    because: 'The other path gives the same response with more database messages.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "if (sessionId === null) return 'used'",
    becomes: ['false'],
    because: onlySaved,
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "if (sessionId === null) return 'used'",
    becomes: ['""'],
    because: 'Every other text than `not judged`, `wrong` and `redeemed` means that the code was used.',
  },
  {
    file: 'api/issuance/token/grants/pre-authorized-code.ts',
    line: "return 'used'",
    becomes: ['""'],
    because: 'Every other text than `not judged`, `wrong` and `redeemed` means that the code was used.',
  },
  {
    file: 'api/issuance/token/grants/authorization-of-client.ts',
    line: 'const isRegistered = authorization.registrationId !== null || client.registrationId !== null',
    becomes: ['false'],
    because: 'A wallet that got its code as a registered wallet is registered, or its authorization is not found.',
  },
  {
    file: 'api/issuance/token/authorization-details.ts',
    line: 'if (error instanceof Problem || error instanceof z.ZodError)',
    becomes: ['true'],
    because: 'Parsing and checking throw no other error.',
  },
  {
    file: 'api/issuance/token/refresh-token.ts',
    line: 'if (authorizationId === null || dpopJkt === null) return undefined',
    becomes: ['false'],
    because: 'Only sessions of authorizations get here. The tests cover sessions without a key.',
  },
  {
    file: 'api/issuance/credential/handles.ts',
    line: "const [id = '', mac = '', ...rest] = handle.split('.', 3)",
    becomes: ['"Stryker was here!"'],
    because: 'A handle has a first part, and no MAC is this text.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: 'id !== undefined && holder.configurationIds.includes(id) && (await findRecentConfiguration(deps, tenant.id, id))',
    becomes: ['true'],
    because: 'No token contains an undefined id.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: "if (!holder.knownClaims) throw new Error('the route does not load the claims')",
    because: 'The route loads the claims.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: '...(subjectId === null ? {} : { subjectId }),',
    becomes: ['false'],
    because: 'A mapping takes no value from null.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: '...(providerUrl === null ? {} : { url: providerUrl }),',
    becomes: ['false'],
    because: 'A mapping takes no value from null.',
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: 'if (isDeferred !== undefined) return outcomeOf(deps, tenant, holder, issuance)',
    becomes: ['false'],
    because: onlySaved,
  },
  {
    file: 'api/issuance/credential/unsigned.ts',
    line: 'if (authorizationId !== null) await extendAuthorization(tx, tenantId, authorizationId, until)',
    becomes: ['true'],
    because: onlySaved,
  },
  {
    file: 'api/issuance/credential/issue.ts',
    line: ".join(' ')",
    becomes: ['""'],
    because: 'All thumbprints have the same length.',
  },
  {
    file: 'api/issuance/credential/response-encryption.ts',
    line: '} catch (error) {',
    because: 'The parser throws only a `FormatError`.',
  },
  {
    file: 'api/issuance/credential/response-encryption.ts',
    line: 'if (!(error instanceof FormatError)) throw error',
    becomes: ['false'],
    because: 'The parser throws only a `FormatError`.',
  },
  {
    file: 'api/issuance/credential/earlier-request.ts',
    line: 'const isSame = before.length === new Set(hashes).size && before.every((use) => use.requestHash === requestHash)',
    becomes: ['true', 'before.some(use => use.requestHash === requestHash)'],
    because: 'The hash of a request stands for all of its uses, which are stored together.',
  },
]
