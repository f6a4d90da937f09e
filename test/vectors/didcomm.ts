import type { JsonWebKey } from 'node:crypto'
import type { OkpPublicJwk } from '../../shared/formats/jwk.ts'
import type { ReceivedMessage } from '../../shared/formats/jwm/read-message.ts'
import { unwrapped } from './wrapped.ts'

/** DIDComm Messaging v2.0, appendix B.1: the key `did:example:alice#key-x25519-1`. */
export const senderKey = { kty: 'OKP', crv: 'X25519', x: 'avH0O2Y4tqLAq8y9zpianr8ajii5m4F_mICrzNlatXs' } as OkpPublicJwk

/** Appendix A.2: private keys of `did:example:bob`, by key ID. */
export const recipientKeys: Readonly<Record<string, JsonWebKey>> = {
  'did:example:bob#key-x25519-1': {
    kty: 'OKP',
    crv: 'X25519',
    x: 'GDTrI66K0pFfO54tlCSvfjjNapIs44dzpneBgyx0S3E',
    d: 'b9NnuOCB0hm7YGNvaE9DMhwH_wjZA1-gWD6dA0JWdL0',
  },
  'did:example:bob#key-x25519-2': {
    kty: 'OKP',
    crv: 'X25519',
    x: 'UT9S3F5ep16KSNBBShU2wh3qSfqYjlasZimn0mB8_VM',
    d: 'p-vteoF1gopny1HXywt76xz_uC83UUmrgszsI-ThBKk',
  },
  'did:example:bob#key-x25519-3': {
    kty: 'OKP',
    crv: 'X25519',
    x: '82k2BTUiywKv49fKLZa-WwDi8RBf0tB0M8bvSAUQ3yY',
    d: 'f9WJeuQXEItkGM8shN4dqFr5fLQLBasHnWZ-8dPaSo0',
  },
}

/** Appendix C.1: members of the plaintext of all messages. */
export const plaintext = {
  id: '1234567890',
  type: 'http://example.com/protocols/lets_do_lunch/1.0/proposal',
  from: 'did:example:alice',
  to: ['did:example:bob'],
  created_time: 1516269022,
  expires_time: 1516385931,
  body: { messagespecificattribute: 'and its value' },
}

/** Appendix C.3: encrypted messages, by the algorithms of the key agreement and the content. */
export const encryptedMessages = {
  /** ECDH-ES+A256KW with X25519, XC20P. */
  anonymousX25519: {
    protected: unwrapped(`
eyJlcGsiOnsia3R5IjoiT0tQIiwiY3J2IjoiWDI1NTE5IiwieCI6IkpIanNtSVJaQWFCMHpSR193TlhMVjJyUGdnRjAwaGRIYlc1cmo4ZzBJMjQifSwi
YXB2IjoiTmNzdUFuclJmUEs2OUEtcmtaMEw5WFdVRzRqTXZOQzNaZzc0QlB6NTNQQSIsInR5cCI6ImFwcGxpY2F0aW9uL2RpZGNvbW0tZW5jcnlwdGVk
K2pzb24iLCJlbmMiOiJYQzIwUCIsImFsZyI6IkVDREgtRVMrQTI1NktXIn0
`),
    recipients: [
      {
        header: { kid: 'did:example:bob#key-x25519-1' },
        encrypted_key: '3n1olyBR3nY7ZGAprOx-b7wYAKza6cvOYjNwVg3miTnbLwPP_FmE1A',
      },
      {
        header: { kid: 'did:example:bob#key-x25519-2' },
        encrypted_key: 'j5eSzn3kCrIkhQAWPnEwrFPMW6hG0zF_y37gUvvc5gvlzsuNX4hXrQ',
      },
      {
        header: { kid: 'did:example:bob#key-x25519-3' },
        encrypted_key: 'TEWlqlq-ao7Lbynf0oZYhxs7ZB39SUWBCK4qjqQqfeItfwmNyDm73A',
      },
    ],
    iv: 'ESpmcyGiZpRjc5urDela21TOOTW8Wqd1',
    ciphertext: unwrapped(`
KWS7gJU7TbyJlcT9dPkCw-ohNigGaHSukR9MUqFM0THbCTCNkY-g5tahBFyszlKIKXs7qOtqzYyWbPou2q77XlAeYs93IhF6NvaIjyNqYklvj-OtJt9W
2Pj5CLOMdsR0C30wchGoXd6wEQZY4ttbzpxYznqPmJ0b9KW6ZP-l4_DSRYe9B-1oSWMNmqMPwluKbtguC-riy356Xbu2C9ShfWmpmjz1HyJWQhZfczuw
kWWlE63g26FMskIZZd_jGpEhPFHKUXCFwbuiw_Iy3R0BIzmXXdK_w7PZMMPbaxssl2UeJmLQgCAP8j8TukxV96EKa6rGgULvlo7qibjJqsS5j03bnbxk
uxwbfyu3OxwgVzFWlyHbUH6p
`),
    tag: '6ylC_iAs4JvDQzXeY6MuYQ',
  },
  /** ECDH-1PU+A256KW with X25519, A256CBC-HS512. */
  authenticatedX25519: {
    protected: unwrapped(`
eyJlcGsiOnsia3R5IjoiT0tQIiwiY3J2IjoiWDI1NTE5IiwieCI6IkdGY01vcEpsamY0cExaZmNoNGFfR2hUTV9ZQWY2aU5JMWRXREd5VkNhdzAifSwi
YXB2IjoiTmNzdUFuclJmUEs2OUEtcmtaMEw5WFdVRzRqTXZOQzNaZzc0QlB6NTNQQSIsInNraWQiOiJkaWQ6ZXhhbXBsZTphbGljZSNrZXkteDI1NTE5
LTEiLCJhcHUiOiJaR2xrT21WNFlXMXdiR1U2WVd4cFkyVWphMlY1TFhneU5UVXhPUzB4IiwidHlwIjoiYXBwbGljYXRpb24vZGlkY29tbS1lbmNyeXB0
ZWQranNvbiIsImVuYyI6IkEyNTZDQkMtSFM1MTIiLCJhbGciOiJFQ0RILTFQVStBMjU2S1cifQ
`),
    recipients: [
      {
        header: { kid: 'did:example:bob#key-x25519-1' },
        encrypted_key:
          'o0FJASHkQKhnFo_rTMHTI9qTm_m2mkJp-wv96mKyT5TP7QjBDuiQ0AMKaPI_RLLB7jpyE-Q80Mwos7CvwbMJDhIEBnk2qHVB',
      },
      {
        header: { kid: 'did:example:bob#key-x25519-2' },
        encrypted_key:
          'rYlafW0XkNd8kaXCqVbtGJ9GhwBC3lZ9AihHK4B6J6V2kT7vjbSYuIpr1IlAjvxYQOw08yqEJNIwrPpB0ouDzKqk98FVN7rK',
      },
      {
        header: { kid: 'did:example:bob#key-x25519-3' },
        encrypted_key:
          'aqfxMY2sV-njsVo-_9Ke9QbOf6hxhGrUVh_m-h_Aq530w3e_4IokChfKWG1tVJvXYv_AffY7vxj0k5aIfKZUxiNmBwC_QsNo',
      },
    ],
    iv: 'o02OXDQ6_-sKz2PX_6oyJg',
    ciphertext: unwrapped(`
MJezmxJ8DzUB01rMjiW6JViSaUhsZBhMvYtezkhmwts1qXWtDB63i4-FHZP6cJSyCI7eU-gqH8lBXO_UVuviWIqnIUrTRLaumanZ4q1dNKAnxNL-dHmb
3coOqSvy3ZZn6W17lsVudjw7hUUpMbeMbQ5W8GokK9ZCGaaWnqAzd1ZcuGXDuemWeA8BerQsfQw_IQm-aUKancldedHSGrOjVWgozVL97MH966j3i9CJ
c3k9jS9xDuE0owoWVZa7SxTmhl1PDetmzLnYIIIt-peJtNYGdpd-FcYxIFycQNRUoFEr77h4GBTLbC-vqbQHJC1vW4O2LEKhnhOAVlGyDYkNbA4DSL-L
MwKxenQXRARsKSIMn7z-ZIqTE-VCNj9vbtgR
`),
    tag: 'uYeo7IsZjN7AnvBjUZE5lNryNENbf6_zew_VC-d4b3U',
  },
  /** ECDH-1PU+A256KW with P-256, A256CBC-HS512 (signed before). */
  authenticatedP256: {
    protected: unwrapped(`
eyJlcGsiOnsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIngiOiJObHJ3UHZ0SUluZWNpeUVrYTRzMi00czhPalRidEZFQVhmTC12Z2x5enFvIiwieSI6
ImhiMnZkWE5zSzVCQ2U3LVhaQ0dfLTY0R21UT19rNUlNWFBaQ00xdGFUQmcifSwiYXB2Ijoiei1McXB2VlhEYl9zR1luM21qUUxwdXUyQ1FMZXdZdVpv
VFdPSVhQSDNGTSIsInNraWQiOiJkaWQ6ZXhhbXBsZTphbGljZSNrZXktcDI1Ni0xIiwiYXB1IjoiWkdsa09tVjRZVzF3YkdVNllXeHBZMlVqYTJWNUxY
QXlOVFl0TVEiLCJ0eXAiOiJhcHBsaWNhdGlvbi9kaWRjb21tLWVuY3J5cHRlZCtqc29uIiwiZW5jIjoiQTI1NkNCQy1IUzUxMiIsImFsZyI6IkVDREgt
MVBVK0EyNTZLVyJ9
`),
    recipients: [
      {
        header: { kid: 'did:example:bob#key-p256-1' },
        encrypted_key:
          'ZIL6Leligq1Xps_229nlo1xB_tGxOEVoEEMF-XTOltI0QXjyUoq_pFQBCAnVdcWNH5bmaiuzCYOmZ9lkyXBkfHO90KkGgODG',
      },
      {
        header: { kid: 'did:example:bob#key-p256-2' },
        encrypted_key:
          'sOjs0A0typIRSshhQoiJPoM4o7YpR5LA8SSieHZzmMyIDdD8ww-4JyyQhqFYuvfS4Yt37VF4z7Nd0OjYVNRL-iqPnoJ3iCOr',
      },
    ],
    iv: 'mLqi1bZLz7VwqtVVFsDiLg',
    ciphertext: unwrapped(`
WCufCs2lMZfkxQ0JCK92lPtLFgwWk_FtRWOMj52bQISa94nEbIYqHDUohIbvLMgbSjRcJVusZO04UthDuOpSSTcV5GBi3O0cMrjyI_PZnTb1yikLXpXm
a1bT10D2r5TPtzRMxXF3nFsr9y0JKV1TsMtn70Df2fERx2bAGxcflmd-A2sMlSTT8b7QqPtn17Yb-pA8gr4i0Bqb2WfDzwnbfewbukpRmPA2hsEs9oLK
ypbniAafSpoiQjfb19oDfsYaWWXqsdjTYMflqH__DqSmW52M-SUp6or0xU0ujbHmOkRkcdh9PsR5YsPuIWAqYa2hfjz_KIrGTxvCos0DMiZ4Lh_lPIYQ
qBufSdFH5AGChoekFbQ1vcyIyYMFugzOHOgZ2TwEzv94GCgokBHQR4_qaU_f4Mva64KPwqOYdm5f4KX16afTJa-IV7ar7__2L-A-LyxmC5KIHeGOedV9
kzZBLC7TuzRAuE3vY7pkhLB1jPE6XpTeKXldljaeOSEVcbFUQtsHOSPz9JXuhqZ1fdAx8qV7hUnSAd_YMMDR3S6SXtem8ak2m98WPvKIxhCbcto7W2qo
NYMT7MPvvid-QzUvTdKtyovCvLzhyYJzMjZxmn9-EnGhZ5ITPL_xFfLyKxhSSUVz3kSwK9xuOj3KpJnrrD7xrp5FKzEaJVIHWrUW90V_9QVLjriThZ36
fA3ipvs8ZJ8QSTnGAmuIQ6Z2u_r4KsjL_mGAgn47qyqRm-OSLEUE4_2qB0Q9Z7EBKakCH8VPt09hTMDR62aYZYwtmpNs9ISu0VPvFjh8UmKbFcQsVrz9
0-x-r-Q1fTX9JaIFcDy7aqKcI-ai3tVF_HDR60Jaiw
`),
    tag: 'nIpa3EQ29hgCkA2cBPde2HpKXK4_bvmL2x7h39rtVEc',
  },
} satisfies Record<string, ReceivedMessage>
