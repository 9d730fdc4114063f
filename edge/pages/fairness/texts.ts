import type { Language } from "../kit/i18n.ts";

/** What the fairness report says. Counts stand in `{…}`. */
type FairnessTexts = {
  title: string;
  language: string;
  loading: string;
  notPublished: string;
  admitted: string;
  over: string;
  overMore: string;
  inversions: string;
  inversionsMore: string;
  promises: string;
  promisesMore: string;
  letIn: string;
  letInMore: string;
  letInActs: string;
  resets: string;
  resetsMore: string;
  draw: string;
};

export const TEXTS: Readonly<Record<Language, FairnessTexts>> = {
  en: {
    title: "Was the line fair?",
    language: "Language",
    loading: "One moment …",
    notPublished: "There is no published report for this event.",
    admitted: "People let in: {count}",
    over: "Minutes with more people than allowed: {count}",
    overMore: "The busiest minute let in {busiest}, at a rate of {rate}.",
    inversions: "People called after a higher number: {count}",
    inversionsMore:
      "They were not at the door when it was their turn, and came in as soon as they were. {missed} had let an earlier call pass. The widest gap was {largest} numbers.",
    promises: "Waiting times promised and kept: {share}",
    promisesMore: "{kept} of {made} promised ranges held.",
    letIn: "People let in round the line: {count}",
    letInMore: "By hand, each with a reason in the log.",
    letInActs: "Let in round the line, and why",
    resets: "Times the line was begun anew: {count}",
    resetsMore: "Each one stays in the evidence of the draw.",
    draw: "Check the draw yourself",
  },
  tr: {
    title: "Sıra adil miydi?",
    language: "Dil",
    loading: "Bir saniye …",
    notPublished: "Bu etkinlik için yayımlanmış bir rapor yok.",
    admitted: "İçeri alınan kişi: {count}",
    over: "İzin verilenden fazla kişinin alındığı dakika: {count}",
    overMore: "En yoğun dakikada {busiest} kişi alındı; hız {rate} idi.",
    inversions: "Daha yüksek bir numaradan sonra çağrılan kişi: {count}",
    inversionsMore:
      "Sıraları geldiğinde kapıda değillerdi; gelir gelmez içeri alındılar. {missed} kişi önceki bir çağrıyı kaçırmıştı. En büyük fark {largest} numaraydı.",
    promises: "Söylenen ve tutulan bekleme süreleri: {share}",
    promisesMore: "Söylenen {made} aralıktan {kept} tanesi tuttu.",
    letIn: "Sıra dışı içeri alınan kişi: {count}",
    letInMore: "Elle, her biri gerekçesiyle kayıtta.",
    letInActs: "Sıra dışı alınanlar ve gerekçeleri",
    resets: "Sıranın baştan başlatılması: {count}",
    resetsMore: "Her biri çekilişin kanıtında kalır.",
    draw: "Çekilişi kendiniz denetleyin",
  },
  de: {
    title: "War die Schlange fair?",
    language: "Sprache",
    loading: "Einen Moment …",
    notPublished: "Für diese Veranstaltung ist kein Bericht veröffentlicht.",
    admitted: "Eingelassene Menschen: {count}",
    over: "Minuten mit mehr Menschen als erlaubt: {count}",
    overMore: "Die vollste Minute ließ {busiest} ein, bei einer Rate von {rate}.",
    inversions: "Nach einer höheren Nummer aufgerufen: {count}",
    inversionsMore:
      "Sie waren nicht an der Tür, als sie dran waren, und kamen hinein, sobald sie da waren. {missed} hatten einen früheren Aufruf verstreichen lassen. Der größte Abstand waren {largest} Nummern.",
    promises: "Zugesagte und eingehaltene Wartezeiten: {share}",
    promisesMore: "{kept} von {made} zugesagten Spannen trafen zu.",
    letIn: "An der Schlange vorbei eingelassen: {count}",
    letInMore: "Von Hand, jeweils mit Grund im Protokoll.",
    letInActs: "An der Schlange vorbei eingelassen, und warum",
    resets: "Neubeginne der Schlange: {count}",
    resetsMore: "Jeder bleibt im Nachweis der Verlosung.",
    draw: "Die Verlosung selbst prüfen",
  },
  fr: {
    title: "La file était-elle équitable ?",
    language: "Langue",
    loading: "Un instant …",
    notPublished: "Aucun rapport n’est publié pour cet événement.",
    admitted: "Personnes admises : {count}",
    over: "Minutes avec plus de personnes que permis : {count}",
    overMore: "La minute la plus chargée en a admis {busiest}, pour un débit de {rate}.",
    inversions: "Personnes appelées après un numéro plus élevé : {count}",
    inversionsMore:
      "Elles n’étaient pas à la porte à leur tour et sont entrées dès leur retour. {missed} avaient laissé passer un appel. L’écart le plus grand était de {largest} numéros.",
    promises: "Attentes annoncées et tenues : {share}",
    promisesMore: "{kept} des {made} fourchettes annoncées se sont vérifiées.",
    letIn: "Personnes admises hors file : {count}",
    letInMore: "À la main, chacune avec un motif au journal.",
    letInActs: "Admissions hors file et leurs motifs",
    resets: "Recommencements de la file : {count}",
    resetsMore: "Chacun reste dans les preuves du tirage.",
    draw: "Vérifier le tirage soi-même",
  },
  es: {
    title: "¿Fue justa la cola?",
    language: "Idioma",
    loading: "Un momento …",
    notPublished: "No hay ningún informe publicado de este evento.",
    admitted: "Personas admitidas: {count}",
    over: "Minutos con más personas de las permitidas: {count}",
    overMore: "El minuto más concurrido admitió a {busiest}, con un ritmo de {rate}.",
    inversions: "Personas llamadas después de un número mayor: {count}",
    inversionsMore:
      "No estaban en la puerta cuando les tocaba y entraron en cuanto llegaron. {missed} habían dejado pasar una llamada. La mayor diferencia fue de {largest} números.",
    promises: "Esperas prometidas y cumplidas: {share}",
    promisesMore: "Se cumplieron {kept} de {made} intervalos prometidos.",
    letIn: "Personas admitidas fuera de la cola: {count}",
    letInMore: "A mano, cada una con un motivo en el registro.",
    letInActs: "Admitidas fuera de la cola, y por qué",
    resets: "Veces que la cola empezó de nuevo: {count}",
    resetsMore: "Cada una queda en las pruebas del sorteo.",
    draw: "Comprobar el sorteo",
  },
  ar: {
    title: "هل كان الطابور عادلًا؟",
    language: "اللغة",
    loading: "لحظة …",
    notPublished: "لا يوجد تقرير منشور لهذه الفعالية.",
    admitted: "عدد من دخلوا: {count}",
    over: "دقائق دخل فيها أكثر من المسموح: {count}",
    overMore: "أكثر الدقائق ازدحامًا أدخلت {busiest} بمعدل {rate}.",
    inversions: "من نودي عليهم بعد رقم أعلى: {count}",
    inversionsMore:
      "لم يكونوا عند الباب حين جاء دورهم، ودخلوا فور حضورهم. فات {missed} منهم نداء سابق. وكان أكبر فارق {largest} رقمًا.",
    promises: "أوقات الانتظار الموعودة التي تحققت: {share}",
    promisesMore: "تحقق {kept} من {made} مدى موعود.",
    letIn: "من أُدخلوا خارج الطابور: {count}",
    letInMore: "يدويًا، ولكل منهم سبب في السجل.",
    letInActs: "من أُدخلوا خارج الطابور وأسباب ذلك",
    resets: "مرات بدء الطابور من جديد: {count}",
    resetsMore: "تبقى كل مرة في أدلة القرعة.",
    draw: "تحقق من القرعة بنفسك",
  },
  ru: {
    title: "Была ли очередь честной?",
    language: "Язык",
    loading: "Минутку …",
    notPublished: "Для этого мероприятия отчёт не опубликован.",
    admitted: "Впущено человек: {count}",
    over: "Минут, когда впустили больше дозволенного: {count}",
    overMore: "В самую занятую минуту впустили {busiest} при темпе {rate}.",
    inversions: "Вызваны после большего номера: {count}",
    inversionsMore:
      "Их не было у входа, когда подошла очередь; они вошли, как только появились. {missed} пропустили более ранний вызов. Наибольший разрыв — {largest} номеров.",
    promises: "Обещанное и выдержанное ожидание: {share}",
    promisesMore: "Сбылось {kept} из {made} обещанных промежутков.",
    letIn: "Впущено в обход очереди: {count}",
    letInMore: "Вручную, каждый с причиной в журнале.",
    letInActs: "Впущенные в обход очереди и причины",
    resets: "Очередь начинали заново: {count}",
    resetsMore: "Каждый раз остаётся в доказательствах жеребьёвки.",
    draw: "Проверить жеребьёвку самому",
  },
};
