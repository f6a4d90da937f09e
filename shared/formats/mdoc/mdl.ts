import type { DocTypeProfile } from './doc-type-profile.ts'
import type { ElementType } from './element-types.ts'

/** The type of `driving_privileges` (ISO/IEC 18013-5, 7.2.4). */
const drivingPrivileges: ElementType = {
  arrayOf: {
    required: ['vehicle_category_code'],
    members: {
      vehicle_category_code: 'tstr',
      issue_date: 'full-date',
      expiry_date: 'full-date',
      codes: { arrayOf: { required: ['code'], members: { code: 'tstr', sign: 'tstr', value: 'tstr' } } },
    },
  },
}

/** The driving licence of ISO/IEC 18013-5, table 5. It can also have `age_over_NN`. */
export const mdl: DocTypeProfile = {
  'org.iso.18013.5.1': {
    mandatory: [
      ['family_name'],
      ['given_name'],
      ['birth_date'],
      ['issue_date'],
      ['expiry_date'],
      ['issuing_country'],
      ['issuing_authority'],
      ['document_number'],
      ['portrait'],
      ['driving_privileges'],
      ['un_distinguishing_sign'],
    ],
    elements: {
      family_name: 'tstr',
      given_name: 'tstr',
      birth_date: 'full-date',
      issue_date: 'date',
      expiry_date: 'date',
      issuing_country: 'tstr',
      issuing_authority: 'tstr',
      document_number: 'tstr',
      portrait: 'bstr',
      driving_privileges: drivingPrivileges,
      un_distinguishing_sign: 'tstr',
      administrative_number: 'tstr',
      sex: 'uint',
      height: 'uint',
      weight: 'uint',
      eye_colour: 'tstr',
      hair_colour: 'tstr',
      birth_place: 'tstr',
      resident_address: 'tstr',
      portrait_capture_date: 'tdate',
      age_in_years: 'uint',
      age_birth_year: 'uint',
      issuing_jurisdiction: 'tstr',
      nationality: 'tstr',
      resident_city: 'tstr',
      resident_state: 'tstr',
      resident_postal_code: 'tstr',
      resident_country: 'tstr',
      biometric_template_face: 'bstr',
      biometric_template_finger: 'bstr',
      biometric_template_signature_sign: 'bstr',
      biometric_template_iris: 'bstr',
      family_name_national_character: 'tstr',
      given_name_national_character: 'tstr',
      signature_usual_mark: 'bstr',
    },
  },
}
