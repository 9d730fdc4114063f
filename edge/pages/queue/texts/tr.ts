import type { QueueTexts } from "./en.ts";

export const texts: QueueTexts = {
  language: "Dil",
  skip: "İçeriğe geç",
  title: "Sıradaki yeriniz",
  calledTitle: "Sıra sizde!",

  nowCalling: "Şimdi çağrılan",
  nobodyYet: "henüz kimse",
  opensIn: "Açılışa kalan",
  opensAt: "Açılış: {time}",
  hereTime: "bulunduğunuz yerde {time}",
  drawingLabel: "Numaralar çekiliyor",
  awaitingBeacon:
    "Çekiliş, herkese açık bir rastgelelik kaynağının {round}. turunu bekliyor (saat {time}). Değerini önceden kimse bilemez.",
  moving: { other: "Sıra ilerliyor, dakikada yaklaşık {n} kişi" },
  standing: "Şu anda içeri kimse alınmıyor",
  held: "Kısa bir süre için yeni kimse alınamıyor; kendiliğinden devam eder.",
  pausedLine: "Sıra durduruldu",
  soldOutLine: "Satış bitti",
  closedLine: "Sıra kapandı",

  yourNumber: "Numaranız",
  noNumberYet: "henüz çekilmedi",
  numberFollows: "Numaranız birazdan gelecek",
  drawnAt: "Çekiliş: {time}",
  inLineSince: "{time} saatinden beri sıradasınız",
  stampCalled: "Sıra sizde",
  stampLeft: "Ayrıldınız",
  stampEnded: "Sona erdi",
  stampMoved: "Taşındı",
  stampSoldOut: "Tükendi",
  stampClosed: "Kapandı",

  aheadLabel: "Önünüzde",
  ahead: { other: "{n} kişi" },
  nobody: "kimse yok",
  waitLabel: "Bekleme süreniz",
  waitAbout: "yaklaşık {time}",
  waitRough: "kaba bir tahmin",
  waitSure: "güvenilir bir tahmin",
  waitUnknown: "henüz söyleyemiyoruz",
  seatsLabel: "Kalan bilet",
  seats: { other: "{n} bilet" },
  seatsHeld: { other: "ayrıca sepetlerde {n}" },
  poolLabel: "Sizinle çekilişte",
  pool: { other: "{n} kişi" },
  soldOut: "tükendi",
  progress: "Öne doğru yolunuz",

  loading: ["Bir saniye", "Sıradaki yerinizi soruyoruz."],
  early: [
    "Yeriniz hazır",
    "Satış açıldığında herkes geliş sırasına göre çağrılır. Bu sayfayı kapatıp geri gelebilirsiniz.",
  ],
  pool_: [
    "Çekiliştesiniz",
    "Açılıştan önce burada olan herkes kura ile bir numara alır. Daha erken gelmek ya da ikinci bir sekme açmak avantaj sağlamaz. Bu sayfayı kapatıp geri gelebilirsiniz.",
  ],
  drawing: ["Numaralar çekiliyor", "Bu biraz sürer. Yeriniz güvende; bir şey yapmanız gerekmiyor."],
  kept: ["Yeriniz korunuyor", "Numaranız birazdan gelecek. Bir şey yapmanız gerekmiyor."],
  waiting: [
    "Sıradasınız",
    "Bu sayfaya ne olursa olsun yeriniz sizindir. Sıranız gelince sizi burada çağırırız.",
  ],
  near: ["Az kaldı", "Numaranız geldiğinde burada olmak için lütfen bu sayfayı artık açık tutun."],
  ready: ["Numaranız çağrılıyor", "Kapıda sıra sizde. Lütfen bu sayfada kalın."],
  going: ["Buyurun, sıra sizde", "Mağaza kendiliğinden açılır. Açılmazsa düğmeye basın."],
  missed: [
    "Çağrıldınız ama gelmediniz",
    "Sorun değil: numaranız sizde kalır, burada olduğunuz anda yeniden çağrılırsınız. Lütfen bu sayfayı açık tutun.",
  ],
  paused: [
    "Sıra durduruldu",
    "Şu anda içeri kimse alınmıyor. Yeriniz korunur; sıra kendiliğinden devam eder.",
  ],
  baskets: [
    "Bütün biletler sepetlerde",
    "Satın alınmayanlar geri gelebilir. Bu sırada sıradaki yeriniz korunur.",
  ],
  sold_out: [
    "Tükendi",
    "Bütün biletler satıldı. Geri gelen olursa bu sayfa söyler ve yeriniz o zaman geçerlidir.",
  ],
  closed: ["Bu sıra kapandı", "Satış sona erdi. Beklediğiniz için teşekkür ederiz."],
  gone: [
    "Yeriniz sona erdi",
    "Mağazadaki süreniz doldu ya da birkaç kez çağrılıp gelmediniz. Bilet aldıysanız biletleriniz güvende.",
  ],
  left: [
    "Sıradan ayrıldınız",
    "Numaranızdan vazgeçtiniz. Sıranın sonundan yeniden katılabilirsiniz.",
  ],
  moved: ["Yeriniz başka bir cihazda", "Yeriniz oraya taşındı, bu sayfa artık geçerli değil."],
  unknown: ["Bu etkinliği bilmiyoruz", "Adres yanlış yazılmış ya da etkinlik bitmiş olabilir."],
  toAccount: "Giriş yap ve kaydol",
  pass: [
    "Bu sıra için giriş izni gerekiyor",
    "Lütfen davetinizdeki bağlantıdan ya da hesabınızdan açın.",
  ],
  challenge: [
    "Önce kısa bir kontrol",
    "Bu etkinlik, sıraya girmeden önce her tarayıcıdan küçük bir kontrol ister.",
  ],
  conflict: [
    "İki farklı yer",
    "Bu tarayıcıda, artık kanıtlayamadığı eski bir yer daha var. Devam ederseniz o eski yer bırakılır.",
  ],
  too_late: [
    "Tükendi",
    "Bütün biletler satıldı ve sıraya yeni kimse giremiyor. Bilet geri gelirse buradan yeniden katılabilirsiniz.",
  ],
  insecure: [
    "Bu tarayıcı yerinizi tutamıyor",
    "Lütfen sayfayı telefonunuzun kendi tarayıcısında, https adresiyle açın.",
  ],

  offline:
    "Çevrimdışısınız. Yeriniz korunuyor; bağlantı gelince bu sayfa kendiliğinden devam eder.",
  server:
    "Şu anda bize ulaşılamıyor. Yeriniz korunuyor; bu sayfa kendiliğinden denemeye devam ediyor.",
  restoring: "Sıra yeniden kuruluyor. Yeriniz korunuyor; lütfen bekleyin.",
  busy: "Şu anda çok fazla kişi var. Yeriniz korunuyor; bu sayfa kendiliğinden denemeye devam ediyor.",
  noStorage:
    "Bu tarayıcı yerinizi hatırlamamıza izin vermiyor. Lütfen bu sayfayı açık tutun ya da başka bir tarayıcı kullanın.",
  keptUntil: "Bu sayfayı kapatsanız da yeriniz şu zamana kadar korunur: {time}.",
  heard: "Sıradan son haber: {ago}.",
  real: "{host} adresindesiniz. Sırada asla parola ya da kart bilgisi istemeyiz.",
  goOn: "Mağazaya git",
  again: "Sondan yeniden katıl",
  replace: "Eski yeri bırak ve devam et",
  tryAgain: "Yeniden dene",
  home: "Bütün etkinlikler",
  myOrder: "Siparişiniz ve biletleriniz",
  howDrawn: "Numaranız nasıl çekildi",
  leave: "Sıradan ayrıl",
  leaveAsk: "Sıradan ayrılıyor musunuz?",
  leaveWarn:
    "Numaranızdan tümüyle vazgeçmiş olursunuz. Geri gelirseniz sıranın sonundan başlarsınız.",
  leaveYes: "Ayrıl",
  leaveNo: "Sırada kal",
};
