import { createRequire } from 'node:module'
import { join } from 'node:path'
import { moduleFolder } from './module-folder.ts'

/** A handle of a session, a slot or an object: the bytes of a CK_ULONG. */
export type Handle = Buffer

export interface Attribute {
  type: number
  value?: number | boolean | string | Buffer
}

export interface Mechanism {
  mechanism: number
  parameter?: Buffer | object
}

export interface TokenInfo {
  label: string
  serialNumber: string
  manufacturerID: string
  model: string
  flags: number
  maxSessionCount: number
  maxRwSessionCount: number
}

/** The functions of pkcs11js that the service calls. They throw an error with the name of the result, such as CKR_DEVICE_ERROR. */
export interface Cryptoki {
  load(path: string): void
  C_Initialize(options: { flags: number }): void
  C_Finalize(): void
  C_GetSlotList(tokenPresent: boolean): Handle[]
  C_GetTokenInfo(slot: Handle): TokenInfo
  C_GetMechanismList(slot: Handle): number[]
  C_OpenSession(slot: Handle, flags: number): Handle
  C_GetSessionInfo(session: Handle): { state: number }
  C_Login(session: Handle, user: number, pin: string): void
  C_FindObjectsInit(session: Handle, template: Attribute[]): void
  C_FindObjects(session: Handle, most: number): Handle[]
  C_FindObjectsFinal(session: Handle): void
  C_GetAttributeValue(session: Handle, object: Handle, template: Attribute[]): { type: number; value: Buffer }[]
  C_CreateObject(session: Handle, template: Attribute[]): Handle
  C_DestroyObject(session: Handle, object: Handle): void
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: Mechanism,
    publicTemplate: Attribute[],
    privateTemplate: Attribute[],
  ): Promise<{ publicKey: Handle; privateKey: Handle }>
  C_GenerateKeyAsync(session: Handle, mechanism: Mechanism, template: Attribute[]): Promise<Handle>
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_EncryptAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_DecryptAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_SignAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>
  C_DeriveKey(session: Handle, mechanism: Mechanism, key: Handle, template: Attribute[]): Handle
}

/** Loads pkcs11js. Throws if it is not built. */
export function loadCryptoki(): Cryptoki {
  const require = createRequire(join(moduleFolder, 'package.json'))
  // Boundary: the package is not among those of the service, so that the compiler does not know its types.
  const { PKCS11 } = require('pkcs11js') as { PKCS11: new () => Cryptoki }
  return new PKCS11()
}

/** Returns the name of the result in an error of pkcs11js, such as CKR_PIN_INCORRECT. Undefined for other errors. */
export function resultName(error: unknown): string | undefined {
  return error instanceof Error ? /\bCKR_\w+/.exec(error.message)?.[0] : undefined
}

/** Constants of PKCS #11 v3.0. */
export const ck = {
  CKF_OS_LOCKING_OK: 0x2,
  CKF_RW_SESSION: 0x2,
  CKF_SERIAL_SESSION: 0x4,
  CKF_TOKEN_INITIALIZED: 0x400,
  CKF_USER_PIN_FINAL_TRY: 0x2_0000,
  CKF_USER_PIN_LOCKED: 0x4_0000,
  CKU_USER: 1,
  CKS_RW_USER_FUNCTIONS: 3,
  CKO_PUBLIC_KEY: 2,
  CKO_PRIVATE_KEY: 3,
  CKO_SECRET_KEY: 4,
  CKK_EC: 0x3,
  CKK_GENERIC_SECRET: 0x10,
  CKK_AES: 0x1f,
  CKK_EC_EDWARDS: 0x40,
  CKD_NULL: 1,
  /** The types of the parameters of ECDH1 and AES-GCM in pkcs11js. */
  paramsOfEcdh: 6,
  paramsOfGcm: 7,
  CKA_CLASS: 0x0,
  CKA_TOKEN: 0x1,
  CKA_PRIVATE: 0x2,
  CKA_LABEL: 0x3,
  CKA_VALUE: 0x11,
  CKA_KEY_TYPE: 0x100,
  CKA_ID: 0x102,
  CKA_SENSITIVE: 0x103,
  CKA_ENCRYPT: 0x104,
  CKA_DECRYPT: 0x105,
  CKA_SIGN: 0x108,
  CKA_VERIFY: 0x10a,
  CKA_DERIVE: 0x10c,
  CKA_VALUE_LEN: 0x161,
  CKA_EXTRACTABLE: 0x162,
  CKA_EC_PARAMS: 0x180,
  CKA_EC_POINT: 0x181,
  CKM_EC_KEY_PAIR_GEN: 0x1040,
  CKM_ECDSA: 0x1041,
  CKM_ECDH1_DERIVE: 0x1050,
  CKM_AES_KEY_GEN: 0x1080,
  CKM_AES_GCM: 0x1087,
  CKM_EC_EDWARDS_KEY_PAIR_GEN: 0x1055,
  CKM_EDDSA: 0x1057,
} as const
