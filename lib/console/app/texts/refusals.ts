import type { IssueCode } from '#lib/domain/input.ts';

// The service's messages are English. These are the Arabic texts of its codes; a test checks that none is missing.

/** The text for an issue, by its code. `{bound}` is the bound in the English message. */
export const issuesInArabic: Readonly<Record<IssueCode, string>> = {
  required: 'يرجى تعبئة هذا الحقل.',
  type: 'نوع هذه القيمة غير صحيح.',
  min_length: 'النص قصير جدًا؛ الحد الأدنى {bound}.',
  max_length: 'النص طويل جدًا؛ الحد الأقصى {bound}.',
  pattern: 'الصيغة غير صحيحة.',
  format: 'الصيغة غير صحيحة.',
  min: 'يجب ألا تقل القيمة عن {bound}.',
  max: 'يجب ألا تزيد القيمة على {bound}.',
  step: 'هذه القيمة ليست بالدقة المطلوبة ({bound}).',
  not_allowed: 'هذه القيمة غير مسموح بها هنا.',
  min_items: 'العدد أقل من المطلوب؛ الحد الأدنى {bound}.',
  max_items: 'العدد أكبر من المسموح؛ الحد الأقصى {bound}.',
  unknown_field: 'لا يوجد حقل بهذا الاسم.',
  not_filterable: 'لا يمكن التصفية حسب هذا الحقل.',
  repeated: 'ورد هذا أكثر من مرة.',
  syntax: 'لا يمكن قراءة هذه الصيغة.',
  not_a_relation: 'هذا الحقل ليس علاقة.',
  not_found: 'هذا لم يعد موجودًا.',
  duplicate: 'هذه القيمة مستخدمة بالفعل.',
  too_large: 'هذا أكبر من المسموح ({bound}).',
  in_use: 'ما زال هذا قيد الاستخدام.',
};

/** The reason of a refusal, by the code of the answer. */
export const refusalsInArabic: Readonly<Record<string, string>> = {
  missing_api_key: 'سجّل الدخول أولًا.',
  invalid_api_key: 'هذا المفتاح غير صالح.',
  missing_session: 'سجّل الدخول أولًا.',
  invalid_session: 'انتهت هذه الجلسة. سجّل الدخول من جديد.',
  rate_limited: 'طلبات كثيرة في وقت قصير. حاول بعد قليل.',
  workspace_required: 'اختر مساحة عمل أولًا.',
  cross_origin: 'غير مسموح لك بهذا.',
  origin_not_allowed: 'غير مسموح بهذا من هذا الموقع.',
  permission_denied: 'غير مسموح لك بهذا.',
  member_required: 'هذا متاح للأعضاء فقط.',
  form_not_found: 'لا يوجد نموذج بهذا الاسم، أو أنه مغلق.',
  unsupported_media_type: 'نوع هذا الملف غير مدعوم.',
  file_too_large: 'الملف كبير جدًا: 25 ميغابايت للملف و10 للصورة على الأكثر.',
  body_too_large: 'ما أرسلته كبير جدًا. أرسل أقل في كل مرة.',
  malformed_multipart: 'تعذّرت قراءة الملفات المرسلة. أرسلها مرة أخرى.',
  no_files: 'لم يُرسَل أي ملف.',
  too_many_files: 'عدد الملفات كبير: خمسة ملفات أو صورة واحدة على الأكثر.',
  invalid_body: 'بعض القيم غير صحيحة. تحقّق من الحقول.',
  invalid_query: 'لا يمكن البحث بهذه القيم. غيّر البحث أو التصفية.',
  validation_failed: 'بعض القيم غير صحيحة. تحقّق من الحقول.',
  unknown_field: 'لا يوجد حقل بهذا الاسم.',
  response_too_large: 'النتيجة كبيرة جدًا. اطلب أقل في كل مرة.',
  not_found: 'هذا لم يعد موجودًا.',
  precondition_failed: 'غيّر شخص آخر هذا السجل في الأثناء. أعد تحميله ثم حاول مرة أخرى.',
  already_exists: 'يوجد سجل بهذا المعرّف.',
  last_manager: 'لن يبقى من يدير الأعضاء. امنح هذه الصلاحية لعضو آخر أولًا.',
  limit_reached: 'بلغ العدد حدّه. احذف واحدًا أولًا.',
  in_use: 'ما زال هذا قيد الاستخدام.',
  conflict: 'لا يمكن هذا الآن: الطلب قيد التنفيذ، أو أن حالة السجل لا تسمح به.',
  idempotency_key_reused: 'أُرسل هذا من قبل بمحتوى آخر. أرسله من جديد.',
  range_not_satisfiable: 'هذا الجزء خارج الملف.',
  method_not_allowed: 'غير مسموح بهذا هنا.',
  precondition_required: 'أعد تحميل السجل ثم حاول مرة أخرى.',
  use_import: 'هذا التغيير أكبر من أن يتم هنا؛ يلزم استيراد البيانات.',
  internal_error: 'تعذّر على الخدمة تنفيذ هذا. حاول بعد قليل.',
  unavailable: 'تعذّر على الخدمة تنفيذ هذا. حاول بعد قليل.',
};

/** `conflict` has several reasons, which the English message distinguishes. */
export const conflictsInArabic: Readonly<Record<string, string>> = {
  'You have accepted this membership. A manager can remove you.': 'قبلت هذه العضوية من قبل. يمكن لمدير إزالتك.',
  'The member is not active. Activate the member first.': 'هذا العضو موقوف. نشّطه أولًا.',
  'The member has no e-mail address. Set one first.': 'ليس لهذا العضو بريد إلكتروني. أضف بريدًا أولًا.',
  'The e-mail address does not lead to the member: it was changed meanwhile, or another member has it. Set it again.':
    'لم يعد هذا البريد لهذا العضو: تغيّر في الأثناء، أو صار لعضو آخر. أدخله من جديد.',
  'The webhook is disabled.': 'خطاف الويب متوقف.',
  'The user pool refuses this e-mail address.': 'خدمة تسجيل الدخول ترفض هذا البريد.',
  'The mail service refuses this e-mail address.': 'خدمة البريد ترفض هذا العنوان.',
  'The file has not arrived yet. Send it to upload.url first, then repeat this request.':
    'لم يصل الملف بعد. أرسله مرة أخرى.',
  'A request with this Idempotency-Key is still in progress. Try again shortly.':
    'ما زال طلبك السابق قيد التنفيذ. حاول بعد قليل.',
};
