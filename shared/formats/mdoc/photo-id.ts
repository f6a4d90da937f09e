import type { DocTypeProfile } from './doc-type-profile.ts'
import { assignedCountry, birthday, dayToCome, filledTextOfAtMost, jpegStart, passedDay } from './usual-values.ts'
import { countryOfTwoOrThree, jpeg, oneOfTexts, onOrAfter } from './value-rules.ts'

const filled = filledTextOfAtMost(150)

/**
 * The photo ID of ISO/IEC TS 23220-4, annex C. In its first drafts, three of the mandatory names end with `_unicode`. Readers of both
 * versions exist, so that either name is enough. `birth_date` is a complete date. Incomplete dates of birth are not supported.
 */
export const photoId: DocTypeProfile = {
  'org.iso.23220.1': {
    mandatory: [
      ['family_name', 'family_name_unicode'],
      ['given_name', 'given_name_unicode'],
      ['birth_date'],
      ['portrait'],
      ['issue_date'],
      ['expiry_date'],
      ['issuing_authority', 'issuing_authority_unicode'],
      ['issuing_country'],
      ['age_over_18'],
    ],
    elements: {
      family_name: 'tstr',
      family_name_unicode: 'tstr',
      family_name_latin1: 'tstr',
      family_name_viz: 'tstr',
      given_name: 'tstr',
      given_name_unicode: 'tstr',
      given_name_latin1: 'tstr',
      given_name_viz: 'tstr',
      birth_date: 'full-date',
      portrait: 'bstr',
      issue_date: 'date',
      expiry_date: 'date',
      issuing_authority: 'tstr',
      issuing_authority_unicode: 'tstr',
      issuing_country: 'tstr',
      issuing_subdivision: 'tstr',
      age_in_years: 'uint',
      age_birth_year: 'uint',
      portrait_capture_date: 'date',
      birthplace: 'tstr',
      name_at_birth: 'tstr',
      resident_address: 'tstr',
      resident_address_unicode: 'tstr',
      resident_city: 'tstr',
      resident_city_unicode: 'tstr',
      resident_city_latin1: 'tstr',
      resident_postal_code: 'tstr',
      resident_country: 'tstr',
      sex: 'uint',
      nationality: 'tstr',
      document_number: 'tstr',
    },
    rules: {
      portrait: jpeg,
      issuing_country: countryOfTwoOrThree,
      resident_country: countryOfTwoOrThree,
      nationality: countryOfTwoOrThree,
      // ISO/IEC 5218, and the values that drafts of ISO/IEC TS 23220-2 add.
      sex: oneOfTexts('0', '1', '2', '3', '4', '5', '6', '9'),
    },
    usual: {
      family_name: filled,
      family_name_unicode: filled,
      given_name: filled,
      given_name_unicode: filled,
      birth_date: birthday,
      portrait: jpegStart,
      issue_date: passedDay,
      expiry_date: dayToCome,
      issuing_authority: filled,
      issuing_authority_unicode: filled,
      issuing_country: assignedCountry,
      portrait_capture_date: passedDay,
      resident_country: assignedCountry,
      nationality: assignedCountry,
      document_number: filled,
    },
    relations: [onOrAfter('issue_date', 'birth_date'), onOrAfter('expiry_date', 'issue_date')],
  },
  'org.iso.23220.photoid.1': {
    mandatory: [],
    elements: {
      person_id: 'tstr',
      birth_country: 'tstr',
      birth_state: 'tstr',
      birth_city: 'tstr',
      administrative_number: 'tstr',
      resident_street: 'tstr',
      resident_house_number: 'tstr',
      resident_state: 'tstr',
      travel_document_type: 'tstr',
      travel_document_number: 'tstr',
      travel_document_mrz: 'tstr',
    },
  },
}
