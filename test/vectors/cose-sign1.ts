import { hexBytes } from './wrapped.ts'

/** Public keys of the examples: RFC 9052, appendix C.7.1, RFC 8392, appendix A.2.3, and github.com/cose-wg/Examples. */
export const coseKeys = {
  cwt: {
    kty: 'EC',
    crv: 'P-256',
    x: 'FDMpzOeGjkFpJ1mc9lo0884v_aVafspp7YkZo5TULw8',
    y: 'YPfxp4DYp4O_t6LdayeW6BKNu87509Fo25Uplxo257k',
  },
  p256: {
    kty: 'EC',
    crv: 'P-256',
    x: 'usWxHK2PmfnHKwXPS54m0kTcGJ90UiglWiGahtagnv8',
    y: 'IBOL-C3BttVivg-lSreASjpkttcsz-1rb7btKLv8EX4',
  },
  p384: {
    kty: 'EC',
    crv: 'P-384',
    x: 'kTJyP2KSsBBhnb4kjWmMF7WHVsY55xUPgb7k64rDcjatChoZ1nvjKmYmPh5STRKc',
    y: 'mM0weMVU2DKsYDxDJkEP9hZiRZtB8fPfXbzINZj_fF7YQRynNWedHEyzAJOX2e8s',
  },
  p521: {
    kty: 'EC',
    crv: 'P-521',
    x: 'AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt',
    y: 'AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1',
  },
}

/** A COSE_Sign1 message and the key that it names. */
export interface Sign1Example {
  /** The RFC and appendix, or the path in github.com/cose-wg/Examples. */
  source: string
  key: keyof typeof coseKeys
  message: Buffer
}

/** Signed messages. `sigStructure` is what the signature covers (RFC 9052, section 4.4). */
export const sign1Examples: readonly (Sign1Example & { externalAad?: Buffer; sigStructure: Buffer })[] = [
  {
    source: 'RFC 8392, appendix A.3',
    key: 'cwt',
    sigStructure: hexBytes(`
846a5369676e61747572653143a10126405850a70175636f61703a2f2f61732e6578616d706c652e636f6d02656572696b77037818636f61703a
2f2f6c696768742e6578616d706c652e636f6d041a5612aeb0051a5610d9f0061a5610d9f007420b71
`),
    message: hexBytes(`
d28443a10126a05850a70175636f61703a2f2f61732e6578616d706c652e636f6d02656572696b77037818636f61703a2f2f6c696768742e6578
616d706c652e636f6d041a5612aeb0051a5610d9f0061a5610d9f007420b7158405427c1ff28d23fbad1f29c4c7c6a555e601d6fa29f9179bc3d
7438bacaca5acd08c8d4d4f96131680c429a01f85951ecee743a52b9b63632c57209120e1c9e30
`),
  },
  {
    source: 'RFC 9052, appendix C.2.1',
    key: 'p256',
    sigStructure: hexBytes(`
846a5369676e61747572653143a101264054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4
d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
  {
    source: 'cose-wg/Examples, ecdsa-examples/ecdsa-sig-01',
    key: 'p256',
    sigStructure: hexBytes(`
846a5369676e61747572653145a2012603004054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28445a201260300a10442313154546869732069732074686520636f6e74656e742e58406520bbaf2081d7e0ed0f95f76eb0733d667005f7467c
ec4b87b9381a6ba1ede8e00df29f32a37230f39a842a54821fdd223092819d7728efb9d3a0080b75380b
`),
  },
  {
    source: 'cose-wg/Examples, ecdsa-examples/ecdsa-sig-02',
    key: 'p384',
    sigStructure: hexBytes(`
846a5369676e61747572653144a10138224054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28444a1013822a104445033383454546869732069732074686520636f6e74656e742e58605f150abd1c7d25b32065a14e05d6cb1f665d10769f
f455ea9a2e0adab5de63838db257f0949c41e13330e110eba7b912f34e1546fb1366a2568faa91ec3e6c8d42f4a67a0edf731d88c9aead52258b
2e2c4740ef614f02e9d91e9b7b59622a3c
`),
  },
  {
    source: 'cose-wg/Examples, ecdsa-examples/ecdsa-sig-03',
    key: 'p521',
    sigStructure: hexBytes(`
846a5369676e61747572653144a10138234054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28444a1013823a104581e62696c626f2e62616767696e7340686f626269746f6e2e6578616d706c6554546869732069732074686520636f6e74
656e742e588401664dd6962091b5100d6e1833d503539330ec2bc8fd3e8996950ce9f70259d9a30f73794f603b0d3e7c5e9c4c2a57e10211f76e
79df8ffd1b79d7ef5b9fa7da109001965fa2d37e093bb13c040399c467b3b9908c09db2b0f1f4996fe07bb02aaa121a8e1c671f3f997ade7d651
081017057bd3a8a5fbf394972ea71cfdc15e6f8fe2e1
`),
  },
  {
    source: 'cose-wg/Examples, ecdsa-examples/ecdsa-sig-04',
    key: 'p256',
    sigStructure: hexBytes(`
846a5369676e61747572653144a10138234054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28444a1013823a10442313154546869732069732074686520636f6e74656e742e5840eb18b84ed674284e5ed861c3943e101bed5db9f560c0f0
292b34362990d1c59b10df7946cbc6ca3dcbd6c17a6dd1d711f50337baa6b4fcfae0efc70e52c1de0f
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-pass-01',
    key: 'p256',
    sigStructure: hexBytes(`
846a5369676e617475726531404054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28441a0a201260442313154546869732069732074686520636f6e74656e742e584087db0d2e5571843b78ac33ecb2830df7b6e0a4d5b7376de3
36b23c591c90c425317e56127fbe04370097ce347087b233bf722b64072beb4486bda4031d27244f
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-pass-02',
    key: 'p256',
    externalAad: hexBytes('11aa22bb33cc44dd55006699'),
    sigStructure: hexBytes(`
846a5369676e61747572653143a101264c11aa22bb33cc44dd5500669954546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
d28443a10126a10442313154546869732069732074686520636f6e74656e742e584010729cd711cb3813d8d8e944a8da7111e7b258c9bdca6135
f7ae1adbee9509891267837e1e33bd36c150326ae62755c6bd8e540c3e8f92d7d225e8db72b8820b
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-pass-03',
    key: 'p256',
    sigStructure: hexBytes(`
846a5369676e61747572653143a101264054546869732069732074686520636f6e74656e742e
`),
    message: hexBytes(`
8443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4d2
5a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
]

/** A message with the tag of another structure. */
export const wrongTagExample: Sign1Example = {
  source: 'cose-wg/Examples, sign1-tests/sign-fail-01',
  key: 'p256',
  message: hexBytes(`
d903e68443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c0831
06c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
}

/** Messages of which one part was changed after signing. */
export const changedSign1Examples: readonly Sign1Example[] = [
  {
    source: 'cose-wg/Examples, sign1-tests/sign-fail-02',
    key: 'p256',
    message: hexBytes(`
d28443a10126a10442313154546869732069732074686520636f6e74656e742f58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4
d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-fail-03',
    key: 'p256',
    message: hexBytes(`
d28445a1013903e6a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c0831
06c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-fail-04',
    key: 'p256',
    message: hexBytes(`
d2844aa10167756e6b6e6f776ea10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d5
8fef5c083106c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-fail-06',
    key: 'p256',
    message: hexBytes(`
d28445a201260300a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c0831
06c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36
`),
  },
  {
    source: 'cose-wg/Examples, sign1-tests/sign-fail-07',
    key: 'p256',
    message: hexBytes(`
d28443a10126a10442313154546869732069732074686520636f6e74656e742e58406520bbaf2081d7e0ed0f95f76eb0733d667005f7467cec4b
87b9381a6ba1ede8e00df29f32a37230f39a842a54821fdd223092819d7728efb9d3a0080b75380b
`),
  },
]
