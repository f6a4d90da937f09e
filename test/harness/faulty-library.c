/*
 * A PKCS#11 library that passes all calls to another one, LIBRARY. The file CONTROL says what goes wrong: "hang", "crash" or "lost" in C_Sign,
 * "logged-out" in C_SignInit, where it ends the login once, "final-try" in C_GetTokenInfo, "no-import" in C_CreateObject, and "renumbered" for other numbers of the slots. The file CALLS gets a letter for each C_Login and C_Finalize.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK_PTR *
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#define CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType(*name)
#define CK_CALLBACK_FUNCTION(returnType, name) returnType(*name)
#ifndef NULL_PTR
#define NULL_PTR 0
#endif
#include <pkcs11/pkcs11.h>

static CK_FUNCTION_LIST_PTR inner;
static CK_FUNCTION_LIST outer;
/* The numbers of slots do not change while a process runs. */
static CK_SLOT_ID offset;

static int faulty(const char *fault) {
  char text[64] = "";
  FILE *file = fopen(CONTROL, "r");
  if (!file) return 0;
  if (!fgets(text, sizeof text, file)) text[0] = 0;
  fclose(file);
  return strcmp(text, fault) == 0;
}

static CK_RV initialize(CK_VOID_PTR args) {
  offset = faulty("renumbered") ? 1000 : 0;
  return inner->C_Initialize(args);
}

static CK_RV get_slot_list(CK_BBOOL present, CK_SLOT_ID_PTR list, CK_ULONG_PTR count) {
  CK_RV result = inner->C_GetSlotList(present, list, count);
  if (result == CKR_OK && list)
    for (CK_ULONG at = 0; at < *count; at++) list[at] += offset;
  return result;
}

static CK_RV get_token_info(CK_SLOT_ID slot, CK_TOKEN_INFO_PTR info) {
  CK_RV result = inner->C_GetTokenInfo(slot - offset, info);
  if (faulty("final-try")) info->flags |= CKF_USER_PIN_FINAL_TRY;
  return result;
}

static CK_RV get_mechanism_list(CK_SLOT_ID slot, CK_MECHANISM_TYPE_PTR list, CK_ULONG_PTR count) {
  return inner->C_GetMechanismList(slot - offset, list, count);
}

static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR application, CK_NOTIFY notify, CK_SESSION_HANDLE_PTR session) {
  return inner->C_OpenSession(slot - offset, flags, application, notify, session);
}

static void record(char call) {
  FILE *file = fopen(CALLS, "a");
  if (!file) return;
  fputc(call, file);
  fclose(file);
}

static CK_RV finalize(CK_VOID_PTR reserved) {
  record('F');
  return inner->C_Finalize(reserved);
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR_PTR pin, CK_ULONG length) {
  record('L');
  return inner->C_Login(session, user, pin, length);
}

static CK_RV sign_init(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_OBJECT_HANDLE key) {
  if (faulty("logged-out")) {
    remove(CONTROL);
    inner->C_Logout(session);
  }
  return inner->C_SignInit(session, mechanism, key);
}

static CK_RV sign(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG length, CK_BYTE_PTR signature, CK_ULONG_PTR signature_length) {
  while (faulty("hang")) usleep(10000);
  if (faulty("crash")) abort();
  if (faulty("lost")) return CKR_SESSION_HANDLE_INVALID;
  return inner->C_Sign(session, data, length, signature, signature_length);
}

static CK_RV generate_key_pair(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_ATTRIBUTE_PTR public_template, CK_ULONG public_count,
                               CK_ATTRIBUTE_PTR private_template, CK_ULONG private_count, CK_OBJECT_HANDLE_PTR public_key,
                               CK_OBJECT_HANDLE_PTR private_key) {
  if (faulty("full")) return CKR_DEVICE_MEMORY;
  CK_RV result = inner->C_GenerateKeyPair(session, mechanism, public_template, public_count, private_template, private_count, public_key, private_key);
  /* The key pair is made, and its process ends before it answers. */
  if (faulty("crash-once-made")) {
    remove(CONTROL);
    abort();
  }
  return result;
}

static CK_RV create_object(CK_SESSION_HANDLE session, CK_ATTRIBUTE_PTR attributes, CK_ULONG count, CK_OBJECT_HANDLE_PTR object) {
  if (faulty("no-import")) return CKR_ACTION_PROHIBITED;
  return inner->C_CreateObject(session, attributes, count, object);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list) {
  if (!inner) {
    void *library = dlopen(LIBRARY, RTLD_NOW);
    CK_C_GetFunctionList get = library ? (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList") : 0;
    if (!get || get(&inner) != CKR_OK) return CKR_GENERAL_ERROR;
    outer = *inner;
    outer.C_Initialize = initialize;
    outer.C_GetSlotList = get_slot_list;
    outer.C_GetTokenInfo = get_token_info;
    outer.C_GetMechanismList = get_mechanism_list;
    outer.C_OpenSession = open_session;
    outer.C_Finalize = finalize;
    outer.C_Login = login;
    outer.C_SignInit = sign_init;
    outer.C_Sign = sign;
    outer.C_GenerateKeyPair = generate_key_pair;
    outer.C_CreateObject = create_object;
  }
  *list = &outer;
  return CKR_OK;
}
